import { describe, expect, test } from "vitest";
import { Device, must } from "../../../src/host/index.ts";
import { fencedProxyOf, fenceOf } from "../../../src/interp/contract/plan/effects.ts";

const planOf = (statement: string) => must(new Device().snippet(statement)).program.code[0]!.plan;

describe("a plan says how its fence orders", () => {
  test.each([
    ["fence.sc.gpu;", { sem: "sc", scope: "gpu" }],
    ["fence.acquire.cluster;", { sem: "acquire", scope: "cluster" }],
    ["fence.release.sys;", { sem: "release", scope: "sys" }],
    ["fence.cta;", { sem: "acq_rel", scope: "cta" }],
    ["membar.gl;", { sem: "sc", scope: "gpu" }],
    ["fence.acquire.sync_restrict::shared::cluster.cluster;", { sem: "acquire", scope: "cluster" }],
    ["fence.release.sync_restrict::shared::cta.cluster;", { sem: "release", scope: "cluster" }],
    ["fence.proxy.alias;", undefined],
    ["fence.proxy.alias.acquire.sys;", { sem: "acquire", scope: "sys" }],
    ["fence.proxy.alias.release.sys;", { sem: "release", scope: "sys" }],
    ["fence.proxy.async::generic.release.sync_restrict::shared::cluster::read.cluster;", undefined],
    ["fence.proxy.generic::fabric.alias.release.sys;", undefined],
  ])("%s", (statement, order) => {
    expect(fenceOf(planOf(statement))).toEqual(order);
  });

  test.each([
    ["fence.proxy.alias;", "alias"],
    ["membar.proxy.alias;", "alias"],
    ["fence.proxy.alias.release.sys;", "alias"],
    ["fence.proxy.async::generic.release.sync_restrict::shared::cluster::read.cluster;", undefined],
    ["fence.proxy.async;", "async"],
    ["fence.proxy.async.global;", "async"],
    ["fence.proxy.async.shared::cta;", "async"],
    ["fence.proxy.tensormap::generic.release.gpu;", "tensormap"],
    ["fence.sc.gpu;", undefined],
    ["fence.mbarrier_init.release.cluster;", undefined],
  ])("%s is about a proxy", (statement, proxy) => {
    expect(fencedProxyOf(planOf(statement))).toBe(proxy);
  });

  test("arriving at a cluster's barrier may order nothing", () => {
    expect(planOf("barrier.cluster.arrive.relaxed;")).toMatchObject({ shape: "cluster barrier", relaxed: true });
    expect(planOf("barrier.cluster.arrive;")).not.toHaveProperty("relaxed");
  });
});
