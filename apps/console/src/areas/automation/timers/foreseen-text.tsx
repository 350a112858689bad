import type { Foreseen } from '@linewarden/contract'
import { useTranslation } from 'react-i18next'

/** What of a run will not be done, in one sentence for each reason. */
export function ForeseenText({ foreseen }: { foreseen: readonly Foreseen[] }) {
  const { t } = useTranslation(['timers', 'automation', 'app'])
  return foreseen
    .map(({ Why, By, Count, LineNames }) => {
      const names = LineNames.join(t('automation:nameBetween'))
      const lines = Count > LineNames.length ? t('linesOf', { names, count: Count }) : names
      if (By === null && Why === 'tagged') return t('foreseen.taggedUnnamed', { lines })
      return t(`foreseen.${Why}`, { lines, by: By ?? '' })
    })
    .join(t('app:semicolon'))
}

/** The same in a few words: what becomes of how many lines. */
export function ForeseenBrief({ foreseen }: { foreseen: readonly Foreseen[] }) {
  const { t } = useTranslation('timers')
  return (['refused', 'skipped'] as const).map((outcome) => {
    const count = foreseen.reduce((sum, { Outcome, Count }) => sum + (Outcome === outcome ? Count : 0), 0)
    return (
      count > 0 && (
        <b key={outcome} className="timer-trouble">
          {' · '}
          {t(outcome === 'refused' ? 'refusedLines' : 'skippedLines', { count })}
        </b>
      )
    )
  })
}
