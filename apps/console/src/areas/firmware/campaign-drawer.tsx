import type { CampaignRecord, UpgradeRecord } from '@linewarden/contract'
import { campaignDetails, campaignUpgrades, steerCampaign } from '@linewarden/contract'
import { upgradeStates } from '@linewarden/rules/firmware'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { callWithToast } from '../../app/net/call-with-toast.ts'
import { change } from '../../app/net/change.ts'
import { errorTextOf } from '../../app/net/error-text.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useCall } from '../../app/net/use-call.ts'
import { useShown } from '../../app/net/use-failure.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { FilterSelect } from '../../ui/fields.tsx'
import { clockTime } from '../../ui/format.ts'
import { Mark } from '../../ui/mark.tsx'
import { Pager } from '../../ui/pager.tsx'
import { countsOf } from './counts.ts'
import './firmware.css'
import { UpgradeState } from './upgrade-state.tsx'

const everyMs = 1_500

/** One campaign: how far each gateway is, live, and what can be done about it. */
export function CampaignDrawer({ campaignId, onClose }: { campaignId: number; onClose: () => void }) {
  const { t } = useTranslation(['firmware', 'app'])
  const params = { CampaignID: campaignId }
  const query = useCall(campaignDetails, { params }, { refetchInterval: everyMs })
  const { data } = query
  if (!data)
    return (
      <Drawer label={t('campaigns')} title={<h2>{t('campaigns')}</h2>} onClose={onClose}>
        <Unloaded query={query} />
      </Drawer>
    )
  const title = t('campaign', { version: data.Version })
  const { done, of } = countsOf(data)
  return (
    <Drawer
      label={title}
      title={<h2>{title}</h2>}
      subtitle={
        <p className="mute">
          {data.Model} › {data.Reason || '–'}
        </p>
      }
      foot={<Foot campaign={data} />}
      onClose={onClose}
    >
      <div className="campaign-drawer">
        <Unloaded query={query} />
        {data.PausedBy === 'failures' && (
          <p className="note" role="alert">
            <Mark kind="fault" />
            {t('pausedByFailures')}
          </p>
        )}
        <section aria-label={t('progress')}>
          <p className="head-row">
            <b>{t(`campaignStates.${data.State}`)}</b>
            <span role="status">{t('progressOf', { done, of })}</span>
          </p>
          <progress value={done} max={of} aria-label={t('progress')} />
        </section>
        <section aria-label={t('stages')}>
          <h3>{t('stages')}</h3>
          <ol className="stages">
            {data.Ends.map((end, index) => (
              <li key={end} aria-current={index === data.Stage && data.EndedAt === null ? 'step' : undefined}>
                {index + 1}. {t('upTo', { count: end })}
              </li>
            ))}
          </ol>
        </section>
        <Gateways campaign={data} />
      </div>
    </Drawer>
  )
}

function Gateways({ campaign }: { campaign: CampaignRecord }) {
  const { t } = useTranslation(['firmware', 'app'])
  const [state, setState] = useState<UpgradeRecord['State'] | ''>('')
  const [page, setPage] = useState(1)
  const [size, setSize] = useState(20)
  const params = { CampaignID: campaign.CampaignID }
  const query = useCall(
    campaignUpgrades,
    { params, body: { ...(state && { State: state }), Page: page, Size: size } },
    { refetchInterval: everyMs, placeholderData: keepPreviousData },
  )
  const data = useShown(query)
  const present = upgradeStates.filter((each) => each === state || campaign.Counts[each] > 0)
  return (
    <section aria-label={t('gateways')}>
      <h3>{t('gateways')}</h3>
      <FilterSelect
        label={t('allStates')}
        value={state}
        options={present.map((value) => ({ value, label: `${t(`states.${value}`)} ${campaign.Counts[value]}` }))}
        onChange={(value) => {
          setState(present.find((each) => each === value) ?? '')
          setPage(1)
        }}
      />
      <Unloaded query={query} />
      {data && (
        <ul className="gateways">
          {data.items.map((upgrade) => (
            <Gateway key={upgrade.DeviceID} upgrade={upgrade} />
          ))}
        </ul>
      )}
      <Pager page={page} size={size} total={data?.total ?? null} onPage={setPage} onSize={setSize} />
    </section>
  )
}

function Gateway({ upgrade }: { upgrade: UpgradeRecord }) {
  const { GatewayName, HouseName, DeviceID, Former, Firmware, Since } = upgrade
  return (
    <li>
      <span>
        <Link className="text-link" to={`/system/geteway?gateway=${DeviceID}`}>
          {GatewayName}
        </Link>
        <small>
          {HouseName} · {Former === Firmware ? (Former ?? '–') : `${Former ?? '–'} → ${Firmware ?? '–'}`} · {clockTime(Since)}
        </small>
      </span>
      <UpgradeState upgrade={upgrade} />
    </li>
  )
}

function Foot({ campaign }: { campaign: CampaignRecord }) {
  const { t } = useTranslation(['firmware', 'app'])
  const [open, setOpen] = useState<'abort' | 'goOn' | null>(null)
  const { bad } = countsOf(campaign)
  const isOver = campaign.EndedAt !== null || campaign.State === 'aborted'
  // Whoever is asked when it ends by itself still answers.
  if (isOver && !open) return null
  const steer = (Act: 'pause' | 'goOn' | 'abort') =>
    change(steerCampaign, { params: { CampaignID: campaign.CampaignID }, body: { Act } })
  return (
    <footer className="firmware-foot">
      {campaign.State === 'running' ? (
        <button type="button" className="btn" onClick={() => void callWithToast(steer('pause'))}>
          {t('pause')}
        </button>
      ) : (
        <button
          type="button"
          className="btn primary"
          onClick={() => (bad > 0 ? setOpen('goOn') : void callWithToast(steer('goOn')))}
        >
          {t('goOn')}
        </button>
      )}
      <button type="button" className="btn" onClick={() => setOpen('abort')}>
        {t('abort')}
      </button>
      {open && (
        <ConfirmDialog
          title={open === 'abort' ? t('abortTitle') : t('goOnTitle')}
          what={open === 'abort' ? t('abortWhat') : t('goOnWhat', { count: bad })}
          submit={t(open)}
          onConfirm={() => errorTextOf(steer(open))}
          onClose={() => setOpen(null)}
        />
      )}
    </footer>
  )
}
