import { CallError } from '@linewarden/client'
import i18next from 'i18next'
import { messageOf } from '../../app/net/api.ts'
import { localised } from '../../ui/i18n.ts'

/** A refused close says every reason at once; the other refusals have theirs in their message. */
export function problemOf(error: unknown): string {
  const message = messageOf(error)
  const failure = error instanceof CallError && error.problem.kind === 'refusal' ? error.problem.failure : null
  const blocks = failure?.Detail?.blocks
  if (!Array.isArray(blocks) || failure?.Message !== 'close not permitted') return message
  const reasons = blocks.flatMap((each: { Why?: { zh: string; en: string } | null }) => (each.Why ? [localised(each.Why)] : []))
  return `${message}${i18next.t('app:colon')}${reasons.join(i18next.t('app:semicolon'))}`
}
