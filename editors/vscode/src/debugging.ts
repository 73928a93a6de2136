import {
  type DebugAdapterDescriptorFactory,
  DebugAdapterExecutable,
  type DebugConfiguration,
  type DebugConfigurationProvider,
  type ExtensionContext,
  window,
} from "vscode";
import { languages } from "./language.ts";
import { ptxrun } from "./ptxrun.ts";

/** The `type` of our launch configurations. */
export const TYPE = "ptxrun";

/** Starts `ptxrun dap` for each session. */
export const adapterFactory = (context: ExtensionContext): DebugAdapterDescriptorFactory => ({
  createDebugAdapterDescriptor() {
    const { command, args, env } = ptxrun(context);
    return new DebugAdapterExecutable(command, [...args, "dap"], { env });
  },
});

/** Offers a first configuration, and completes what the user has left out. */
export const configurationProvider: DebugConfigurationProvider = {
  provideDebugConfigurations: () => [firstConfiguration("${file}")],
  resolveDebugConfiguration(_folder, configuration) {
    // Nothing at all: F5 without a launch.json.
    if (Object.keys(configuration).length === 0 || !configuration.type) {
      const document = window.activeTextEditor?.document;
      if (document === undefined || !(languages as readonly string[]).includes(document.languageId)) {
        window.showInformationMessage("Open a PTX or vISA file to debug it, or name one in launch.json.");
        return undefined;
      }
      return { ...firstConfiguration(document.uri.fsPath), ...configuration, type: TYPE };
    }
    if (
      configuration.request === "launch" &&
      configuration["program"] === undefined &&
      configuration["text"] === undefined
    )
      return { ...configuration, program: "${file}" };
    return configuration;
  },
};

/** Stops at the first instruction and stays at the end, from where one can go back. */
export const firstConfiguration = (program: string): DebugConfiguration => ({
  type: TYPE,
  request: "launch",
  name: "Debug PTX",
  program,
  stopOnEntry: true,
  stopAtEnd: true,
});
