import { recordTripCause } from '@linewarden/contract'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api, messageOf } from '../../app/api.ts'
import { queryClient } from '../../app/query-client.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Mark } from '../../ui/mark.tsx'
import type { PlacedLine } from '../monitor/equipment.ts'

/** After leakage, short circuit or arc somebody must say what was found, before the line is energised again. */
export function TripCauseDialog({ placed: { device, line }, onClose }: { placed: PlacedLine; onClose: () => void }) {
  const { t } = useTranslation('control')
  const [cause, setCause] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (cause.trim() === '') return setProblem(t('reasonEmpty'))
    setBusy(true)
    try {
      await api.call(recordTripCause, {
        params: { ControllerID: device.ControllerID, LineNo: line.LineNo },
        body: { Cause: cause.trim() },
      })
      await queryClient.invalidateQueries({ queryKey: ['permit', device.ControllerID, line.LineNo] })
      onClose()
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog label={t('causeTitle')} onClose={onClose}>
      <form onSubmit={submit}>
        <h2>{t('causeTitle')}</h2>
        <div className="content">
          <div className="label">
            <span>{t('causeLabel')}</span>
            <div className="chips">
              {t('causes')
                .split('|')
                .map((each) => (
                  <button
                    type="button"
                    key={each}
                    className="btn small"
                    aria-pressed={cause === each}
                    onClick={() => setCause(each)}
                  >
                    {each}
                  </button>
                ))}
            </div>
            <span className="field">
              <input
                value={cause}
                onChange={(event) => setCause(event.target.value)}
                maxLength={200}
                aria-label={t('causeLabel')}
                autoFocus
              />
            </span>
          </div>
          {problem && (
            <p className="problem" role="alert">
              <Mark kind="alarm" />
              {problem}
            </p>
          )}
        </div>
        <div className="foot">
          <button type="button" className="btn" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" className="btn primary" disabled={busy}>
            {t('save')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
