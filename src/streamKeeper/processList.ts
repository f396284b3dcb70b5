import path from 'node:path';
import { KEEPER_ARGUMENT } from './keeperMessages.ts';

export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
}

/** Returns the arguments in `/proc/PID/cmdline` on Linux, separated by spaces. */
export function readCmdline(cmdline: string): string {
  return cmdline.replace(/\0+$/, '').replaceAll('\0', ' ');
}

/** Reads the output of `ps -axww -o pid=,command=`. */
export function readPs(output: string): readonly RunningProcess[] {
  return Array.from(output.matchAll(/^\s*(\d+)\s+(.+)$/gm), ([, pid, command = '']) => ({
    pid: Number(pid),
    command,
  }));
}

/** Reads a list of `ProcessId` and `CommandLine` from PowerShell: the JSON of one or many, or nothing. */
export function readCimInstances(output: string): readonly RunningProcess[] {
  if (output.trim() === '') return [];
  const parsed: unknown = JSON.parse(output);
  const all = (Array.isArray(parsed) ? parsed : [parsed]) as readonly {
    readonly ProcessId: number;
    readonly CommandLine: string | null;
  }[];
  return all.map(({ ProcessId, CommandLine }) => ({ pid: ProcessId, command: CommandLine ?? '' }));
}

/**
 * Returns whether a process is a keeper of this extension, of any version.
 *
 * @param extension absolute path of the extension's folder, `PUBLISHER.NAME-VERSION`
 */
export function isKeeper(
  { command }: RunningProcess,
  extension: string,
  paths: path.PlatformPath = path,
): boolean {
  const name = paths.basename(extension).replace(/-\d.*$/, '');
  const start = paths.dirname(extension) + paths.sep + name;
  // Windows writes the same drive in upper and lower case.
  const index = command.toLowerCase().indexOf(start.toLowerCase());
  if (index === -1) return false;
  const [version = '', ...inside] = command.slice(index + start.length).split(paths.sep);
  const [script, ...rest] = inside.join(paths.sep).replace('"', '').trimEnd().split(' ');
  return (
    /^(-\d\S*)?$/.test(version) &&
    script === paths.join('dist', 'streamKeeper.cjs') &&
    rest.join(' ') === KEEPER_ARGUMENT
  );
}
