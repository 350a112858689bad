import type { Finding } from './finding.ts'

/** What a live detector says at a sample: its finding is raised, or it returns. */
export type LiveChange =
  | { readonly kind: 'raised'; readonly finding: Finding }
  | { readonly kind: 'returned'; readonly key: string; readonly point: string | null }
