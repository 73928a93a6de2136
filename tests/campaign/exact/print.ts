import { exactPlan } from "./plan.ts";

process.stdout.write(exactPlan());
