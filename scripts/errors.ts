/** An error that the person at the terminal can fix: its message is shown without a stack trace. */
export class StartError extends Error {}

/** Runs a command to its end. What it throws is printed, a `StartError` as its message, and the exit status is 1. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error);
    process.exitCode = 1;
  }
}

/** What the version that is being deployed does wrong, as it was seen: a reason to take it back. */
export class VersionFault extends StartError {}
