import { useTranslation } from 'react-i18next'
import { localised } from '../../ui/i18n.ts'
import { useLastFacts } from './overview-state.ts'
import { wallTime } from './wall-clock.ts'

/** What happened last, each with its time: facts, and nothing that moves. */
export function FactLine({ zone }: { zone: string }) {
  const { t } = useTranslation('screen')
  const facts = useLastFacts(6)
  return (
    <footer className="fact-line">
      <b>{t('lately')}</b>
      {facts.map(({ EventID, RaisedAt, Label, Where }) => (
        <span key={EventID}>
          <i>{wallTime(RaisedAt, zone)}</i>
          {[Where.LineName ?? Where.GatewayName ?? Where.HouseName, localised(Label)].filter(Boolean).join(' ')}
        </span>
      ))}
    </footer>
  )
}
