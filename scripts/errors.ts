/** An error that the person at the terminal can fix: its message is shown without a stack trace. */
export class StartError extends Error {}

/**
 * Runs a command. If it throws, prints the error (only the message of a `StartError`) and sets the exit status to 1.
 */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error);
    process.exitCode = 1;
  }
}

/** A fault of the version that is being deployed. The deployment then takes the version back. */
export class VersionFault extends StartError {}
