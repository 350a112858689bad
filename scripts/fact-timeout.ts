/** How long a test waits for a fact before it says that it never came: on a loaded machine things take a hundred times as long. */
export const factTimeoutMs = 40_000
