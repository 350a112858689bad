import type { SettingChange, TargetResult } from '@linewarden/contract'
import { isUnderWay } from '@linewarden/rules/control'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { Mark } from '../../ui/mark.tsx'
import { useSent } from './changes.ts'

/** Why a change was not made, in words; null when there is nothing to say. */
export const whyNot = (outcome: string | null): string | null =>
  outcome === null
    ? null
    : i18next.exists(`settings:outcomes.${outcome}`)
      ? i18next.t(`settings:outcomes.${outcome}` as 'settings:outcomes.offline')
      : outcome

/** What became of a change, in a few words. */
export function useOutcome(): (change: SettingChange) => string {
  const { t } = useTranslation('settings')
  return ({ State, Outcome }) => {
    const why = State === 'verified' ? null : whyNot(Outcome)
    return why === null ? t(`states.${State}`) : `${t(`states.${State}`)} · ${why}`
  }
}

/** What was sent last, target by target, as it becomes known. */
export function Results({ nameOf }: { nameOf: (result: TargetResult) => string }) {
  const { t } = useTranslation('settings')
  const { results } = useSent()
  if (results.length === 0) return null
  const done = results.filter(({ Change }) => Change?.State === 'verified').length
  const waiting = results.filter(({ Change }) => Change && isUnderWay(Change.State)).length
  return (
    <section className="sent" aria-label={t('results')}>
      <h3>
        {t('results')}
        <small role="status">{t('resultCounts', { done, waiting, not: results.length - done - waiting })}</small>
      </h3>
      <ul>
        {results.map((result) => (
          <li key={`${result.ControllerID}/${result.LineNo}`}>
            <ResultMark result={result} />
            <span className="name">
              {nameOf(result)}
              <small>
                {result.ControllerID} · {result.LineNo}
              </small>
            </span>
            <Outcome result={result} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function ResultMark({ result: { Change, Refused } }: { result: TargetResult }) {
  if (Refused) return <Mark kind={Refused.Message === '离线' ? 'off' : 'alarm'} />
  if (!Change || isUnderWay(Change.State)) return <i className="turning" aria-hidden="true" />
  if (Change.State === 'verified') return <Icon name="check" />
  return <Mark kind={Change.State === 'unknown' ? 'warning' : Change.State === 'expired' ? 'off' : 'alarm'} />
}

function Outcome({ result: { Change, Refused } }: { result: TargetResult }) {
  const outcome = useOutcome()
  if (Refused)
    return (
      <em className="alarm">{[localised(Refused.Text), ...Refused.Problems.map(({ Text }) => localised(Text))].join(' ')}</em>
    )
  if (!Change) return null
  const kind = isUnderWay(Change.State) || Change.State === 'verified' ? '' : Change.State === 'unknown' ? 'warning' : 'alarm'
  return <em className={kind}>{outcome(Change)}</em>
}
