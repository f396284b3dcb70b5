/** Who holds a claim: a window, by the id of its session and the process of its extension host. */
export interface ClaimOwner {
  /** `vscode.env.sessionId`, or another id that no other window has. */
  readonly window: string;
  readonly pid: number;
  /** When it was claimed, epoch ms. */
  readonly at: number;
}

/** A claim that this window holds. */
export interface Claim {
  /** Lets others claim it. Does nothing where the file is gone already. */
  release(): Promise<void>;
}

/** What became of an attempt to claim. */
export type ClaimResult =
  | { readonly kind: 'claimed'; readonly claim: Claim }
  /** `alive` tells whether the window that holds it still runs; the owner is undefined where the file can't be read. */
  | { readonly kind: 'taken'; readonly owner: ClaimOwner | undefined; readonly alive: boolean };
