import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LineRef } from '../../plant/equipment.ts'
import { PermitBox } from './permit-box.tsx'
import { useFreshPermit } from './queries.ts'
import { TripCauseDialog } from './trip-cause-dialog.tsx'

/** Every condition of closing; the trip cause is recorded from here. */
export function Permit({ lineRef }: { lineRef: LineRef }) {
  const { t } = useTranslation('control')
  const { device, line } = lineRef
  const data = useFreshPermit(device.ControllerID, line.LineNo)
  const [recording, setRecording] = useState(false)
  return (
    <section className="part" aria-label={t('permit')}>
      <h3>{t('permit')}</h3>
      {!data && <p className="mute">{t('permitUnknown')}</p>}
      {data && (
        <PermitBox
          conditions={data.Conditions}
          may={t('mayClose')}
          mayNot={t('mayNotClose')}
          done={data.Done ? t(lineRef.family?.icon === 'ways' ? 'doneOn' : 'doneClosed') : null}
          needsGrant={data.NeedsGrant}
          remedy={(key) =>
            key === 'tripCause' && (
              <button type="button" className="btn small" onClick={() => setRecording(true)}>
                {t('recordCause')}
              </button>
            )
          }
        />
      )}
      {recording && <TripCauseDialog lineRef={lineRef} onClose={() => setRecording(false)} />}
    </section>
  )
}
