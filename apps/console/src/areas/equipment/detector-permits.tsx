import type { Action } from '@linewarden/equipment'
import { useTranslation } from 'react-i18next'
import type { LineRef } from '../../plant/equipment.ts'
import { localised } from '../../ui/i18n.ts'
import { PermitBox } from '../control/permit-box.tsx'
import { useOperationPermit } from '../control/queries.ts'

/** Every condition of each thing that can be done with a detector. */
export function DetectorPermits({ lineRef }: { lineRef: LineRef }) {
  const { t } = useTranslation('control')
  return (
    <section className="part permits" aria-label={t('permits')}>
      <h3>{t('permits')}</h3>
      {lineRef.family?.actions.map((action) => (
        <ActionPermit key={action.key} lineRef={lineRef} action={action} />
      ))}
    </section>
  )
}

function ActionPermit({ lineRef: { device, line }, action }: { lineRef: LineRef; action: Action }) {
  const { t } = useTranslation('control')
  const data = useOperationPermit(device.ControllerID, line.LineNo, action.key)
  const words = { action: localised(action.label) }
  if (!data) return <p className="mute">{t('permitsUnknown', words)}</p>
  return (
    <PermitBox
      conditions={data.Conditions}
      may={t('mayDo', words)}
      mayNot={t('mayNotDo', words)}
      done={data.Done ? t('doneSilent') : null}
      needsGrant={data.NeedsGrant}
    />
  )
}
