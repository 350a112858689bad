import type { GatewayRecord } from '@linewarden/contract'
import { upgradeController } from '@linewarden/contract'
import { isSettled } from '@linewarden/rules/firmware'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { change } from '../../app/net/change.ts'
import { errorTextOf } from '../../app/net/error-text.ts'
import { Unloaded } from '../../app/net/unloaded.tsx'
import { useMayOpen } from '../../app/session/use-may.ts'
import { paths } from '../../paths.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { dayTime } from '../../ui/format.ts'
import './firmware.css'
import { useGatewayVersion } from './queries.ts'
import { UpgradeState } from './upgrade-state.tsx'

/** What one gateway runs, whether there is something newer, and how its last upgrade went. */
export function GatewayFirmware({ gateway }: { gateway: GatewayRecord }) {
  const { t } = useTranslation(['firmware', 'app'])
  const [asking, setAsking] = useState(false)
  const platform = useMayOpen(paths.firmware)
  const query = useGatewayVersion(gateway.DeviceID)
  const { data } = query
  if (!data) return <Unloaded query={query} />
  const { Model, Version, ReportedAt, Latest, Standing, Upgrade } = data
  const mayUpgrade = platform && Latest && (Standing === 'older' || (Standing === 'unknown' && Model !== null))
  return (
    <>
      <Unloaded query={query} />
      <dl className="facts">
        {(
          [
            [t('version'), Version ?? t('never')],
            [t('model'), Model ?? t('never')],
            [t('reported'), ReportedAt === null ? '–' : dayTime(ReportedAt)],
            [t('latest'), Latest ? `${Latest.Version} (${t(`versionStatus.${Standing}`)})` : t('latestNone')],
          ] as const
        ).map(([term, fact]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
        <div>
          <dt>{t('lastUpgrade')}</dt>
          <dd>{Upgrade ? <UpgradeState upgrade={Upgrade} /> : '–'}</dd>
        </div>
      </dl>
      {platform && (
        <p className="state-row">
          {mayUpgrade && !(Upgrade && !isSettled(Upgrade.State)) && (
            <button type="button" className="btn small" onClick={() => setAsking(true)}>
              {t('campaign', { version: Latest.Version })}
            </button>
          )}
          <Link
            className="text-link"
            to={Upgrade && !isSettled(Upgrade.State) ? `${paths.firmware}?campaign=${Upgrade.CampaignID}` : paths.firmware}
          >
            {t('manage')}
          </Link>
        </p>
      )}
      {asking && (
        <ConfirmDialog
          title={t('upgradeTitle', { name: gateway.GatewayName })}
          what={t('beginWhat')}
          submit={t('begin')}
          onClose={() => setAsking(false)}
          onConfirm={() => errorTextOf(change(upgradeController, { body: { DeviceID: gateway.DeviceID } }))}
        />
      )}
    </>
  )
}
