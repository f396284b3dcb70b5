/**
 * Node's file system as on Windows, over the real one: paths have a drive and backslashes, names ignore case, some names
 * are not allowed, and an open file can neither be replaced nor be created again after its removal.
 */
import fs from 'node:fs';
import path from 'node:path';

type Call = (...args: unknown[]) => unknown;
type Functions = Record<string, unknown>;

const DRIVE = 'C:';
const FORBIDDEN_NAME = /[<>:"|?*\p{Cc}]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/iu;

/** How many operations fail after a file was written: a virus scanner has it open. */
const SCANNED_OPERATIONS = 2;

/** Functions that fail while a scanner has the file open, which lets others read. */
const REPLACING = /^(?:rename|rm|unlink)(?:Sync)?$/;
const WRITING = /^(?:writeFile|appendFile|copyFile|cp)(?:Sync)?$/;

/** How many handles each file has. */
const handles = new Map<string, number>();
const descriptors = new Map<number, string>();
/** Files that were removed while they were open. */
const pendingRemoval = new Set<string>();
/** How many more operations fail, by file. */
const scanned = new Map<string, number>();

export function toWindows(real: string): string {
  return DRIVE + real.replaceAll('/', '\\');
}

function failure(code: string, operation: string, file: string): Error {
  return Object.assign(new Error(`${code}: ${operation} '${file}'`), { code, syscall: operation });
}

/** Returns the real path. Files in a temporary folder have lowercase names on the disk. */
function toReal(file: string, operation: string): string {
  const names = path.posix.normalize(file.replace(/^C:/i, '').replaceAll('\\', '/')).split('/');
  if (names.some((name) => FORBIDDEN_NAME.test(name) && name !== '.' && name !== '..'))
    throw failure('EINVAL', operation, file);
  const real = path.resolve('/', ...names);
  return real.replace(/(?<=\/interns-\w{6}\/).*/, (inside) => inside.toLowerCase());
}

/** @throws the error that Windows gives, if it gives one */
function checkOpenFiles(operation: string, files: readonly string[], isScanned: boolean): void {
  for (const file of files) {
    if (pendingRemoval.has(file)) throw failure('EPERM', operation, file);
    const isTarget = files.length > 1 && file === files[1];
    if (isTarget && handles.has(file)) throw failure('EPERM', operation, file);
    const left = scanned.get(file) ?? 0;
    if (!isScanned || left === 0 || !REPLACING.test(operation)) continue;
    scanned.set(file, left - 1);
    throw failure(left % 2 === 0 ? 'EPERM' : 'EBUSY', operation, file);
  }
}

function addHandle(file: string): void {
  handles.set(file, (handles.get(file) ?? 0) + 1);
}

function removeHandle(file: string): void {
  const left = (handles.get(file) ?? 1) - 1;
  scanned.set(file, SCANNED_OPERATIONS);
  if (left > 0) handles.set(file, left);
  else {
    handles.delete(file);
    pendingRemoval.delete(file);
  }
}

/** Notes what an operation has changed, and turns paths in its result into those of Windows. */
function handleResult(operation: string, files: readonly string[], result: unknown): unknown {
  const [file = '', target] = files;
  if (WRITING.test(operation)) scanned.set(target ?? file, SCANNED_OPERATIONS);
  if (/^(?:rm|unlink)/.test(operation) && handles.has(file)) pendingRemoval.add(file);
  if (operation === 'openSync') {
    addHandle(file);
    descriptors.set(result as number, file);
  }
  if (operation === 'open') {
    const handle = result as fs.promises.FileHandle;
    addHandle(file);
    const close = handle.close.bind(handle);
    handle.close = async () => {
      await close();
      removeHandle(file);
    };
  }
  if (/^(?:mkdtemp|realpath)/.test(operation)) return toWindows(result as string);
  if (/^(?:readdir|opendir)/.test(operation))
    for (const entry of result as unknown[]) rename(entry);
  return result;
}

function rename(entry: unknown): void {
  if (entry instanceof fs.Dirent) entry.parentPath = toWindows(entry.parentPath);
}

function withoutCallback(operation: string, call: Call, isScanned: boolean): Call {
  const pathCount = /^(?:rename|link|symlink|copyFile|cp)(?:Sync)?$/.test(operation) ? 2 : 1;
  return (...args) => {
    if (operation === 'closeSync') {
      const file = descriptors.get(args[0] as number);
      const result = call(...args);
      if (file !== undefined) removeHandle(file);
      return result;
    }
    const given = args.slice(0, pathCount).filter((arg) => typeof arg === 'string');
    const run = () => {
      const files = given.map((arg) => toReal(arg, operation));
      checkOpenFiles(operation, files, isScanned);
      const result = call(...files, ...args.slice(given.length));
      if (!(result instanceof Promise)) return handleResult(operation, files, result);
      return result.then((value) => handleResult(operation, files, value));
    };
    return operation.endsWith('Sync') || operation === 'watch'
      ? run()
      : Promise.resolve().then(run);
  };
}

/**
 * Returns the functions of `node:fs` or `node:fs/promises` as on Windows. Functions with a callback stay as they are.
 *
 * @param isScanned True if a virus scanner opens each file that is written.
 */
export function windowsFunctions(module: Functions, isScanned: boolean): Functions {
  const isPromises = module === (fs.promises as unknown as Functions);
  const wrapped = Object.entries(module)
    .filter(([name, value]) => typeof value === 'function' && !/^[A-Z]/.test(name))
    .filter(([name]) => isPromises || name.endsWith('Sync') || name === 'watch')
    .map(([name, value]) => [name, withoutCallback(name, value as Call, isScanned)] as const);
  return { ...module, ...Object.fromEntries(wrapped) };
}
