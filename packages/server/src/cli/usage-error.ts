/** A command line that cannot be followed. The message says what is wrong; the command that helps is added to it. */
export class UsageError extends Error {
  /** The command whose help to point at, if one was recognised. */
  readonly command: string | undefined;

  constructor(message: string, command?: string) {
    super(message);
    this.name = 'UsageError';
    this.command = command;
  }
}
