import { deviceToken, issueToken, revokeToken } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useMayEdit, useMayOpen } from '../../app/session/use-may.ts'
import type { LineRef } from '../../plant/equipment.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { CopyValue } from '../../ui/copy-value.tsx'
import { dayTime } from '../../ui/format.ts'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { problemOf } from '../control/problem-of.ts'

/** The token by which somebody without an account reaches this one detector: made, made anew, taken back; shown once. */
export function DeviceToken({ lineRef: { device } }: { lineRef: LineRef }) {
  const { t } = useTranslation(['operations', 'app'])
  const { ControllerID } = device
  // Who manages the gateways hands out the keys to what stands behind them.
  const manages = useMayOpen('/system/geteway')
  const may = useMayEdit()
  const [asking, setAsking] = useState<'issue' | 'revoke' | null>(null)
  const [made, setMade] = useState<string | null>(null)
  const token = useCall(deviceToken, { params: { ControllerID } }, { enabled: manages })
  if (!manages) return null
  const { data } = token
  const present = data?.Token ?? null
  const done = async (work: () => Promise<string | null>): Promise<string | null> => {
    try {
      setMade(await work())
      return null
    } catch (error) {
      return problemOf(error)
    }
  }
  return (
    <section className="part device-token" aria-label={t('token')}>
      <h3>
        {t('token')}
        <span className="grow" />
        <ReasonedButton
          className="btn small"
          reason={!may ? t('sharedReads') : data ? null : t('app:loading')}
          onClick={() => setAsking('issue')}
        >
          {present ? t('tokenAnew') : t('tokenMake')}
        </ReasonedButton>
        {present && (
          <ReasonedButton className="btn small" reason={may ? null : t('sharedReads')} onClick={() => setAsking('revoke')}>
            {t('tokenRevoke')}
          </ReasonedButton>
        )}
      </h3>
      <Unloaded query={token} />
      {data && (
        <p className="mute">
          {present ? t('tokenMade', { time: dayTime(present.MadeAt), name: present.MadeBy }) : t('tokenNone')}
        </p>
      )}
      <p className="mute">{t('tokenOpens')}</p>
      {asking === 'issue' && (
        <ConfirmDialog
          title={t('tokenMakeTitle', { name: device.Name })}
          what={present ? t('tokenAnewWhat') : t('tokenMakeWhat')}
          submit={present ? t('tokenAnew') : t('tokenMake')}
          onConfirm={() => done(async () => (await api.call(issueToken, { body: { ControllerID } })).Token)}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'revoke' && (
        <ConfirmDialog
          title={t('tokenRevokeTitle', { name: device.Name })}
          what={t('tokenRevokeWhat')}
          submit={t('tokenRevoke')}
          onConfirm={() => done(() => api.call(revokeToken, { body: { ControllerID } }))}
          onClose={() => setAsking(null)}
        />
      )}
      {made !== null && (
        <ShownOnce
          title={t('tokenTitle', { name: device.Name })}
          caution={t('tokenOnce')}
          kept={t('tokenKept')}
          wide
          onClose={() => setMade(null)}
        >
          <div>
            <CopyValue label={t('token')} value={made} />
            <CopyValue label={t('tokenAddress')} value={`${location.origin}/api/v1/${made}`} />
          </div>
          <p className="mute">{t('tokenHow')}</p>
        </ShownOnce>
      )}
    </section>
  )
}
