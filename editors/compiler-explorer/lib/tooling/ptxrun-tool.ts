import * as fs from 'node:fs/promises';
import path from 'node:path';

import {BaseTool} from './base-tool.js';

/** Runs the kernels of what was compiled without a GPU, by `ptxrun ce`. */
export class PtxrunTool extends BaseTool {
    static get key() {
        return 'ptxrun-tool';
    }

    override async runTool(compilationInfo: Record<any, any>, inputFilepath?: string, args?: string[]) {
        if (compilationInfo.code !== 0) return this.createErrorResponse('<nothing to run: the compilation failed>');
        const {binary, binaryObject} = compilationInfo.filters;
        const ptx = await this.findPtx(compilationInfo.outputFilename, binary || binaryObject).catch(() => undefined);
        if (ptx === undefined) return this.createErrorResponse('<nothing to run: no PTX was made>');
        // The base class puts the path of the source behind these: problems are told of at lines of it.
        return super.runTool(compilationInfo, inputFilepath, [...(args ?? []), '--source'], ptx);
    }

    /**
     * nvcc keeps the PTX beside its output, a file for each architecture, of which the last is taken; of clang with
     * --cuda-device-only it is the output.
     */
    private async findPtx(outputFilename: string, isBinary: boolean): Promise<string | undefined> {
        const folder = path.dirname(outputFilename);
        const kept = (await fs.readdir(folder)).filter(name => name.endsWith('.ptx'));
        const last = kept.toSorted((a, b) => a.localeCompare(b, 'en', {numeric: true})).at(-1);
        if (last !== undefined) return fs.readFile(path.join(folder, last), 'utf8');
        return isBinary ? undefined : fs.readFile(outputFilename, 'utf8');
    }
}
