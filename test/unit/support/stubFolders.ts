import * as vscode from 'vscode';
import type { StubEditor } from './stubEditor.ts';

/** The URI of a path on another machine. */
export const remote = (path: string): vscode.Uri =>
  vscode.Uri.from({ scheme: 'vscode-remote', path });

/** Opens workspace folders on another machine, with a text or a type for each of their paths. */
export function openFolders(
  stub: StubEditor,
  folders: readonly string[],
  files: Readonly<Record<string, string | vscode.FileType>>,
): void {
  const { Directory, File } = vscode.FileType;
  const workspaceFolders = folders.map((path, index) => ({
    uri: remote(path),
    name: path.slice(path.lastIndexOf('/') + 1),
    index,
  }));
  const folderOf = ({ path }: vscode.Uri) =>
    workspaceFolders.findLast(({ uri }) => `${path}/`.startsWith(`${uri.path}/`));
  const below = (path: string) =>
    [...folders, ...Object.keys(files)].filter((file) => file.startsWith(`${path}/`));
  const textOf = ({ path }: vscode.Uri) => String(files[path]);
  const typeOf = (path: string) => {
    const file = files[path];
    if (file !== undefined) return typeof file === 'string' ? File : file;
    return folders.includes(path) || below(path).length > 0 ? Directory : undefined;
  };
  stub(vscode.workspace, {
    isTrusted: true,
    workspaceFolders,
    textDocuments: [],
    getWorkspaceFolder: folderOf,
    asRelativePath: (uri: vscode.Uri) => {
      const folder = folderOf(uri);
      return `${folder?.name}${uri.path.slice(folder?.uri.path.length)}`;
    },
    openTextDocument: (uri: vscode.Uri) => ({ getText: () => textOf(uri) }),
    decode: (bytes: Uint8Array) => Promise.resolve(new TextDecoder().decode(bytes)),
    fs: {
      isWritableFileSystem: () => true,
      stat: (uri: vscode.Uri) => {
        const type = typeOf(uri.path);
        if (type === undefined) return Promise.reject(new Error('not there'));
        return Promise.resolve({ type, size: textOf(uri).length });
      },
      readFile: (uri: vscode.Uri) => Promise.resolve(new TextEncoder().encode(textOf(uri))),
      readDirectory: ({ path }: vscode.Uri) => {
        const names = below(path).map((file) => file.slice(path.length + 1));
        const direct = names.filter((name) => !name.includes('/'));
        return Promise.resolve(direct.map((name) => [name, typeOf(`${path}/${name}`)]));
      },
    },
  });
}
