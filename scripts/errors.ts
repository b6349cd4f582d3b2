/** An error that the person at the terminal can fix: its message is shown without a stack trace. */
export class StartError extends Error {}

/** What the version that is being deployed does wrong, as it was seen: a reason to take it back. */
export class VersionFault extends StartError {}
