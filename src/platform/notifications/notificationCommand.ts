import { win32 } from 'node:path';
import { variablesFor, type Variables } from '../variables.ts';

/** The text and the target of a system notification. */
export interface NotificationContent {
  /** A short sentence. A name in it may be hostile. */
  readonly text: string;
  /** The label of the action that selects it, which some Linux desktops show. */
  readonly action: string;
  /** The address that Windows opens when the user selects the notification. */
  readonly link: string;
}

interface NotificationCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The name of the action that `notify-send` prints when the user selects the notification. */
export const SELECTED = 'default';

/** Longest text of a notification, in characters (code points). */
const MAX_CHARACTERS = 120;

/** Variables of the desktop and its language. */
const DESKTOP = [
  ...['PATH', 'LANG', 'LC_ALL', 'LC_CTYPE', 'APPDATA', 'LOCALAPPDATA'],
  ...['DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR', 'DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY'],
];

const MACOS_SCRIPT = [
  'on run argv',
  'display notification (item 2 of argv) with title (item 1 of argv)',
  'end run',
];

/** Windows shows toasts of registered applications only, so this one is PowerShell's. */
const WINDOWS_SCRIPT = [
  `$ErrorActionPreference = 'Stop'`,
  `[void][Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications, ContentType = WindowsRuntime]`,
  `[void][Windows.Data.Xml.Dom.XmlDocument, Windows.Data.Xml.Dom, ContentType = WindowsRuntime]`,
  `$content = [xml]'<toast activationType=''protocol''><visual><binding template=''ToastGeneric''><text>Interns</text><text></text></binding></visual></toast>'`,
  `$content.DocumentElement.SetAttribute('launch', $env:INTERNS_NOTIFICATION_LINK)`,
  `[void]$content.GetElementsByTagName('text').Item(1).AppendChild($content.CreateTextNode($env:INTERNS_NOTIFICATION_TEXT))`,
  `$toast = New-Object Windows.Data.Xml.Dom.XmlDocument`,
  `$toast.LoadXml($content.OuterXml)`,
  `$notifier = [Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier('{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe')`,
  `$notifier.Show((New-Object Windows.UI.Notifications.ToastNotification $toast))`,
].join('; ');

/**
 * Returns the command of a system that shows a notification. Only the text and the label of the action vary, each in an
 * argument or a variable of its own. No shell runs the command, and no script contains the text.
 *
 * @param canSelect false for a `notify-send` that has no actions (before 0.8); it doesn't wait then
 */
export function notificationCommand(
  platform: NodeJS.Platform,
  own: Variables,
  { text: given, action, link }: NotificationContent,
  canSelect = true,
): NotificationCommand {
  const text = inertText(given);
  const env = variablesFor(own, DESKTOP);
  switch (platform) {
    case 'darwin': {
      const script = MACOS_SCRIPT.flatMap((line) => ['-e', line]);
      // `osascript` reads no options after its first argument, which is the title.
      return { file: '/usr/bin/osascript', args: [...script, 'Interns', text], env };
    }
    case 'win32': {
      const [, root = 'C:\\Windows'] =
        Object.entries(env).find(([name]) => name.toUpperCase() === 'SYSTEMROOT') ?? [];
      return {
        // The whole path, since Windows looks for a bare name in the current folder first.
        file: win32.join(root, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe'),
        args: ['-NoProfile', '-NonInteractive', '-Command', WINDOWS_SCRIPT],
        env: { ...env, INTERNS_NOTIFICATION_TEXT: text, INTERNS_NOTIFICATION_LINK: link },
      };
    }
    default: {
      const select = canSelect ? [`--action=${SELECTED}=${action}`, '--wait'] : [];
      // The text is the summary, since desktops read markup in the body.
      return { file: 'notify-send', args: ['--app-name=Interns', ...select, '--', text], env };
    }
  }
}

/** Removes what a desktop could take for markup, an escape or a control character. */
function inertText(text: string): string {
  const line = text.replace(/[<>&\\\s\p{C}]+/gu, ' ').trim();
  return Array.from(line).slice(0, MAX_CHARACTERS).join('');
}
