import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { said } from '../../texts/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import type { PlacedLine } from '../monitor/equipment.ts'
import { useFreshPermit } from './queries.ts'
import { TripCauseDialog } from './trip-cause-dialog.tsx'
import './permit.css'

/** Every condition of closing: first what blocks, why, and who can clear it; then what is met. */
export function Permit({ placed }: { placed: PlacedLine }) {
  const { t } = useTranslation('control')
  const { device, line } = placed
  const data = useFreshPermit(device.ControllerID, line.LineNo)
  const [recording, setRecording] = useState(false)
  const unmet = data?.Conditions.filter(({ Met }) => !Met) ?? []
  const met = data?.Conditions.filter(({ Met }) => Met) ?? []
  return (
    <section className="part" aria-label={t('permit')}>
      <h3>{t('permit')}</h3>
      {!data && <p className="mute">{t('permitUnknown')}</p>}
      {data && (
        <div className="permit">
          <p className="verdict">
            <Icon name={data.MayClose ? 'check' : 'hand'} />
            {data.MayClose ? t('mayClose') : t('mayNotClose')}
            <span className="grow" />
            <span className="mute">{t('summary', { unmet: unmet.length, met: met.length })}</span>
          </p>
          <ul>
            {unmet.map(({ Key, What, Why, Clears }) => (
              <li key={Key}>
                <Icon name="lock" />
                <span>
                  {Why ? said(Why) : said(What)}
                  <small>{t('required', { what: said(What) })}</small>
                </span>
                <span className="who">
                  {Clears && said(Clears)}
                  {Key === 'tripCause' && (
                    <button type="button" className="btn small" onClick={() => setRecording(true)}>
                      {t('recordCause')}
                    </button>
                  )}
                </span>
              </li>
            ))}
          </ul>
          <p className="met">
            {met.map(({ Key, What }) => (
              <span key={Key}>
                <Icon name="check" />
                {said(What)}
              </span>
            ))}
            {data.NeedsGrant && (
              <span>
                <Icon name="lock" />
                {t('needsGrant')}
              </span>
            )}
          </p>
        </div>
      )}
      {recording && <TripCauseDialog placed={placed} onClose={() => setRecording(false)} />}
    </section>
  )
}
