import type { GatewayRecord, Reply } from '@linewarden/contract'
import { gatewayDetails, rotateSecret } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { errorTextOf } from '../../app/net/error-text.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import { useMay, useMayEdit } from '../../app/session/use-may.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { dayTime } from '../../ui/format.ts'
import { localised } from '../../ui/i18n.ts'
import { Mark } from '../../ui/mark.tsx'
import { GatewayFirmware } from '../firmware/gateway-firmware.tsx'
import { DeleteGateway, EnableGateway, RenameGateway, TransferGateways } from './gateway-dialogs.tsx'
import './gateway-drawer.css'
import { GatewayLines } from './gateway-lines.tsx'
import { LinkWord } from './link-word.tsx'
import { ConnectionFacts, SecretDialog } from './secret-dialog.tsx'
import { SignalBars } from './signal-bars.tsx'

type Open = 'rename' | 'enable' | 'rotate' | 'transfer' | 'delete'

/** One gateway: what it is, how it connects, what stands behind it, and what can be done with it. */
export function GatewayDrawer({ deviceId, onClose }: { deviceId: number; onClose: () => void }) {
  const { t } = useTranslation(['gateway', 'app'])
  const [open, setOpen] = useState<Open | null>(null)
  // A gateway that is being deleted is not asked for once more.
  const refetchInterval = open === 'delete' ? false : 5_000
  const query = useCall(gatewayDetails, { params: { DeviceID: deviceId } }, { refetchInterval })
  const { data } = query
  if (!data)
    return (
      <Drawer label={t('title')} title={<h2>{t('title')}</h2>} onClose={onClose}>
        <Unloaded query={query} />
      </Drawer>
    )
  return (
    <Drawer
      label={data.GatewayName}
      title={<h2>{data.GatewayName}</h2>}
      subtitle={
        <p className="mute">
          {data.HouseName} › {data.Number}
        </p>
      }
      foot={<Foot gateway={data} open={open} setOpen={setOpen} onGone={onClose} />}
      onClose={onClose}
    >
      <div className="gateway-drawer">
        <Unloaded query={query} />
        <p className="state-row">
          <LinkWord link={data.Link} since={data.Since} />
          {!data.Enabled && <b className="chip">{t('app:disabled')}</b>}
          {data.Tags > 0 && <b className="chip">{t('tagged', { count: data.Tags })}</b>}
          {data.Shared && <span className="chip">{t('shared')}</span>}
        </p>
        {data.Refused && (
          <p className="refused" role="status">
            <Mark kind="warning" />
            <span>
              {t(`refused.${data.Refused.Reason}`)}
              <small>{t('refusedAt', { time: dayTime(data.Refused.At), address: data.Refused.Address || '–' })}</small>
            </span>
          </p>
        )}
        <section aria-label={t('behind')}>
          <h3>{t('behind')}</h3>
          <GatewayLines gateway={data} />
          {data.RefusedDevices.map(({ ID, Reason, Detail, Since }) => (
            <p className="refused" role="status" key={ID}>
              <Mark kind="warning" />
              <span>
                {t(`unrecognised.${Reason}`, { id: ID })}
                <small>{t('unrecognisedSince', { time: dayTime(Since), detail: Detail })}</small>
              </span>
            </p>
          ))}
        </section>
        <section aria-label={t('connection')}>
          <h3>{t('connection')}</h3>
          <dl className="facts">
            <div>
              <dt>{t('signal')}</dt>
              <dd>
                <SignalBars gateway={data} />
              </dd>
            </div>
          </dl>
          <ConnectionFacts gateway={data} />
          <SetAside gateway={data} />
        </section>
        <section aria-label={t('firmware')}>
          <h3>{t('firmware')}</h3>
          <GatewayFirmware gateway={data} />
        </section>
        <section aria-label={t('facts')}>
          <h3>{t('facts')}</h3>
          <dl className="facts">
            {(
              [
                ['IMEI', data.IMEI ?? '–'],
                [t('type'), data.DeviceType],
                [t('platform'), t(data.Platform)],
                [t('method'), t(data.AddMethod)],
                [t('added'), dayTime(data.AddedAt)],
                [t('app:remark'), data.Remark || '–'],
              ] as const
            ).map(([term, fact]) => (
              <div key={term}>
                <dt>{term}</dt>
                <dd>{fact}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </Drawer>
  )
}

/** What the gateway says and the server cannot take, for whoever can set it right. */
function SetAside({ gateway: { SetAside: all } }: { gateway: Reply<typeof gatewayDetails> }) {
  const { t } = useTranslation('gateway')
  return all.map(({ Reason, Text, Detail, LastAt, Messages }) => (
    <p className="refused" role="status" key={Reason}>
      <Mark kind="warning" />
      <span>
        {localised(Text)}
        <small>{t('asideLast', { count: Messages, time: dayTime(LastAt), detail: Detail })}</small>
      </span>
    </p>
  ))
}

function Foot({
  gateway,
  open,
  setOpen,
  onGone,
}: {
  gateway: GatewayRecord
  open: Open | null
  setOpen: (open: Open | null) => void
  onGone: () => void
}) {
  const { t } = useTranslation(['gateway', 'app'])
  const [secret, setSecret] = useState<string | null>(null)
  const mayEdit = useMayEdit()
  const mayEnable = useMay('gatewayEnable')
  const close = () => setOpen(null)
  const { DeviceID, GatewayName, Enabled, Shared } = gateway
  const button = (what: Open, word: string, reason: string | null = null) => (
    <ReasonedButton className="btn" reason={reason} onClick={() => setOpen(what)}>
      {word}
    </ReasonedButton>
  )
  return (
    <footer className="gateway-foot">
      {mayEdit && button('rename', t('rename'))}
      {button('enable', Enabled ? t('disable') : t('enable'), mayEnable ? null : t('noEnable'))}
      {mayEdit && button('rotate', t('rotate'))}
      {mayEdit && button('transfer', t('transfer'), Shared ? t('sharedStays') : null)}
      {mayEdit && button('delete', t('app:delete'))}
      {open === 'rename' && <RenameGateway gateway={gateway} onClose={close} />}
      {open === 'enable' && <EnableGateway gateway={gateway} onClose={close} />}
      {open === 'transfer' && <TransferGateways gateways={[gateway]} onMoved={() => {}} onClose={close} />}
      {open === 'delete' && <DeleteGateway gateway={gateway} onDone={onGone} onClose={close} />}
      {open === 'rotate' && (
        <ConfirmDialog
          title={t('rotateTitle', { name: GatewayName })}
          what={t('rotateWhat')}
          submit={t('rotate')}
          onClose={close}
          onConfirm={() => errorTextOf(api.call(rotateSecret, { params: { DeviceID } }).then(({ Secret }) => setSecret(Secret)))}
        />
      )}
      {secret !== null && <SecretDialog gateway={gateway} secret={secret} onClose={() => setSecret(null)} />}
    </footer>
  )
}
