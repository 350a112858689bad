import { about } from '@linewarden/contract'
import { tenantOfGateway } from '../../audit/audited.ts'
import type { Plant } from '../../plant/plant.ts'
import type { AuditEntry } from '../../store/audit/append.ts'
import { aboutGateway } from '../../store/audit/subject.ts'
import type { StoredUpgrade } from '../../store/firmware/firmware-campaign.ts'
import type { StoredImage } from '../../store/firmware/firmware-image.ts'
import type { EventDraft } from '../../store/ingest/batch.ts'

/** How an upgrade ended, for the log. */
export function outcomeAudit(
  { gatewayId, campaignId, state, reason, former }: StoredUpgrade,
  image: StoredImage | undefined,
  plant: Plant,
  at: number,
): AuditEntry[] {
  const gateway = plant.gateways.get(gatewayId)
  return [
    {
      at,
      actor: 'system',
      address: '',
      tenant: gateway ? tenantOfGateway(gateway) : null,
      action: 'firmware.outcome',
      subject: gateway ? aboutGateway(gateway) : about('gatewayId', gatewayId),
      before: { version: former },
      after: { campaign: campaignId, version: image?.version ?? null, outcome: state, why: reason },
      outcome: 'done',
    },
  ]
}

/** What went wrong is told to whoever watches the plant too. */
export function outcomeEvent({ gatewayId, state }: StoredUpgrade, plant: Plant, at: number): EventDraft | null {
  const gateway = plant.gateways.get(gatewayId)
  if (!gateway || (state !== 'failed' && state !== 'unknown')) return null
  return {
    act: 'note',
    kind: 'journal',
    priority: 'medium',
    key: `firmware.${state}`,
    label:
      state === 'failed'
        ? { zh: '固件升级失败', en: 'Firmware upgrade failed' }
        : { zh: '固件升级后网关未恢复', en: 'Gateway not back after firmware upgrade' },
    point: null,
    value: null,
    limit: null,
    unit: '',
    gateway,
    line: null,
    at,
    historical: false,
  }
}
