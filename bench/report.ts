/** The last line of every benchmark: its figures, its targets and its verdict, as one line of JSON. */
export function report(bench: string, { verdict, ...figures }: Record<string, unknown> & { verdict: boolean }): void {
  process.stdout.write(`${JSON.stringify({ bench, ...figures, verdict: verdict ? 'pass' : 'fail' })}\n`)
}
