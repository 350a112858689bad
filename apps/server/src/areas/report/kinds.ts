import type { ReportKind } from '@linewarden/contract'
import { Refusal, reportKindKeys } from '@linewarden/contract'

/** One that an older version wrote may be of a kind that there is no more. */
export function kindOf({ kind }: { readonly kind: string }): ReportKind {
  const found = reportKindKeys.find((key) => key === kind)
  if (!found) throw new Refusal('report schedule not exists')
  return found
}

/** Stands in a stored letter where each recipient has their own address to leave by. */
export const leaveMark = '\u{F0000}leave\u{F0000}'
