/** How long a test waits for a fact before it says that it never came: on a loaded machine things take ten times as long. */
export const factTimeoutMs = 10_000
