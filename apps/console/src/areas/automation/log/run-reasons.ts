import type { RunEntry } from '@linewarden/contract'
import i18next from 'i18next'
import { span } from '../../../ui/format.ts'
import { localised } from '../../../ui/i18n.ts'
import { whyWord } from '../parts/why-words.ts'

/** Why a run is not whole, in words: the reason of the run itself, then those of its lines, each with the first of them by name. */
export function reasonsOf({ Why, Reasons, StoppedBy }: Pick<RunEntry, 'Why' | 'Reasons' | 'StoppedBy'>): readonly string[] {
  const ofLines = Reasons.map(({ Text, Count, LineNames }) => {
    const names = LineNames.join(i18next.t('automation:nameBetween'))
    const text = localised(Text)
    return Count > LineNames.length
      ? i18next.t('runLog:reasonOfMore', { names, text, count: Count })
      : i18next.t('runLog:reasonOf', { names, text })
  })
  return [
    ...(StoppedBy === null ? [] : [i18next.t('runLog:stopped', { by: StoppedBy })]),
    // Of lines that are named the reason of the whole says no more.
    ...(Why !== null && Reasons.length === 0 ? [whyWord(Why)] : []),
    ...ofLines,
  ]
}

const counted = {
  Verified: 'verified',
  Already: 'already',
  UnderWay: 'underWay',
  Waiting: 'waiting',
  Refused: 'refused',
  Failed: 'failed',
  Unknown: 'unknown',
  Missed: 'missed',
  Skipped: 'skipped',
  Stopped: 'stopped',
} as const satisfies Readonly<Record<Exclude<keyof RunEntry['Counts'], 'Total'>, string>>

/** How many lines of a run stand where: what there is none of is left out. */
export const countsText = ({ Counts }: Pick<RunEntry, 'Counts'>): string =>
  (Object.keys(counted) as (keyof typeof counted)[])
    .flatMap((key) => (Counts[key] > 0 ? [`${i18next.t(`runWhy:outcomes.${counted[key]}`)} ${Counts[key]}`] : []))
    .join(' · ')

const countOf: Partial<Record<RunEntry['State'], keyof typeof counted>> = {
  done: 'Verified',
  refused: 'Refused',
  stopped: 'Stopped',
  missed: 'Missed',
  skipped: 'Skipped',
}

/** The same beside the word of how the run ended, which is not said twice: where every line ended so, it is enough. */
export function countsBeside({ State, Counts }: Pick<RunEntry, 'State' | 'Counts'>): string {
  const only = countOf[State]
  const count = only ? Counts[only] : 0
  if (only && count === Counts.Total) return ''
  const rest = countsText({ Counts: only ? { ...Counts, [only]: 0 } : Counts })
  return [...(count > 0 ? [i18next.t('automation:lines', { count })] : []), ...(rest === '' ? [] : [rest])].join(' · ')
}

/** How late something was: below a second to the hundredth, for that is what a claim is measured by. */
export const lateText = (ms: number): string =>
  ms < 1_000 ? i18next.t('automation:exactSeconds', { seconds: (Math.max(0, ms) / 1_000).toFixed(2) }) : span(ms)
