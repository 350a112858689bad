import type { BalanceLine } from '@linewarden/contract'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useMay, useMayEdit, useMayOpen } from '../../app/session/use-may.ts'
import { energyMeter, lineTripAnalysis } from '../../paths.ts'
import type { shownKwh } from './figures.ts'

interface Props {
  readonly line: BalanceLine
  readonly shown: ReturnType<typeof shownKwh>
  readonly indent: CSSProperties
  readonly houseId: number
}

/** Which single wrong meter or feed would explain what is left, and where a feed is corrected. */
export function BalanceCauses({ line, shown, indent, houseId }: Props) {
  const { t } = useTranslation('energyBalance')
  const maySetFeeds = useMay('lineSwitch')
  const mayCorrect = [useMayEdit(), useMayOpen('/system/project')].every(Boolean)
  const { Causes: causes, Tried } = line
  return (
    <tr className="balance-causes">
      <td colSpan={8} style={indent}>
        {causes.length === 0 ? (
          <p className="mute">{t('noCause', { count: Tried })}</p>
        ) : (
          <>
            <p className="mute">
              {t('causes')} · {t('triedOf', { count: Tried })}
            </p>
            <ul>
              {causes.map(({ LineID, Name, Cause, RestWh }) => (
                <li key={`${LineID} ${Cause}`}>
                  <b>{t(Cause, { name: Name })}</b>
                  <span>{t('causeRest', { kwh: shown.of(RestWh) })}</span>
                  {Cause === 'fedElsewhere' && maySetFeeds && (
                    <Link className="text-link" to={lineTripAnalysis(houseId, LineID)}>
                      {t('setFeed', { name: Name })}
                    </Link>
                  )}
                  {Cause !== 'fedElsewhere' && mayCorrect && (
                    <Link className="text-link" to={energyMeter(houseId, LineID, Cause)}>
                      {t('setMeter', { name: Name })}
                    </Link>
                  )}
                </li>
              ))}
            </ul>
            {causes.some(({ Cause }) => Cause !== 'fedElsewhere') && <p className="mute">{t('meterHint')}</p>}
          </>
        )}
      </td>
    </tr>
  )
}
