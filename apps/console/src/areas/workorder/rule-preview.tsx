import { previewOrderRule } from '@linewarden/contract'
import { maxRuleAfterMin } from '@linewarden/rules/workorder'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { localised } from '../../ui/i18n.ts'
import type { RuleValues } from './rule-values.ts'
import { isWithin } from './rule-words.ts'

/** What the rule as it is written would have made of the last 30 days; nothing is saved by it. */
export function RulePreview({ houseId, values }: { houseId: number; values: RuleValues }) {
  const { t } = useTranslation('orderRules')
  const [isAsked, setIsAsked] = useState(false)
  const { Keys, Priorities, AfterMin, ValidDays } = values
  const isFit = isWithin(AfterMin, 0, maxRuleAfterMin) && isWithin(ValidDays, 1, 90) && Keys.length + Priorities.length > 0
  const query = useCall(
    previewOrderRule,
    {
      body: {
        ...{ HouseID: houseId, Keys: [...Keys], Priorities: [...Priorities] },
        ...{ AfterMin: isFit ? Number(AfterMin) : 0, ValidDays: isFit ? Number(ValidDays) : 1 },
      },
    },
    { enabled: isAsked && isFit },
  )
  if (!isAsked || !isFit)
    return (
      <div>
        <button type="button" className="btn" disabled={!isFit} onClick={() => setIsAsked(true)}>
          {t('preview')}
        </button>
      </div>
    )
  const { data } = query
  return (
    <section className="rule-preview" aria-label={t('preview')} aria-live="polite">
      <Unloaded query={query} />
      {data && (
        <>
          <b>{t('wouldMake', { alarms: data.Alarms, orders: data.Orders, joined: data.Joined })}</b>
          {data.Summaries > 0 && <p>{t('wouldFlood', { summarised: data.Summarised, summaries: data.Summaries })}</p>}
          {!data.IsWhole && <p>{t('notWhole')}</p>}
          {data.Worst.length > 0 && (
            <>
              <p className="mute">{t('worst')}</p>
              <ul>
                {data.Worst.map(({ Label, Where, Times }) => (
                  <li key={`${Where} ${localised(Label)}`}>
                    {[Where, localised(Label), t('times', { count: Times })].join(' · ')}
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
    </section>
  )
}
