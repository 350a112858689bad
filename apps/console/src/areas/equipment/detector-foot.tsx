import type { UserInfo } from '@linewarden/contract'
import type { Action } from '@linewarden/equipment'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import { localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { OperateDialog } from '../control/operate-dialog.tsx'
import { useOperationPermit } from '../control/queries.ts'
import { whyNot } from '../control/why-not.ts'

/** What can be done with a detector, as its family has it; when it is blocked it says by how much, and the permits above say by what. */
export function DetectorFoot({ lineRef, user, onOrdered }: { lineRef: LineRef; user: UserInfo; onOrdered: () => void }) {
  const { t } = useTranslation('control')
  const [asking, setAsking] = useState<'silence' | 'selfTest' | null>(null)
  const may = user.Roles.LevelBtn.includes('lineSwitch') && !user.Shared
  return (
    <footer className="operate-foot">
      {lineRef.family?.actions.map(
        (action) =>
          (action.key === 'silence' || action.key === 'selfTest') && (
            <ActionButton
              key={action.key}
              lineRef={lineRef}
              action={action}
              may={may}
              onAsk={() => setAsking(action.key === 'silence' ? 'silence' : 'selfTest')}
            />
          ),
      )}
      {!may && <span className="mute">{t('noPermission')}</span>}
      {asking && (
        <OperateDialog key={asking} lineRef={lineRef} action={asking} onOrdered={onOrdered} onClose={() => setAsking(null)} />
      )}
    </footer>
  )
}

function ActionButton({
  lineRef: { device, line },
  action,
  may,
  onAsk,
}: {
  lineRef: LineRef
  action: Action
  may: boolean
  onAsk: () => void
}) {
  const { t } = useTranslation('control')
  const permit = useOperationPermit(device.ControllerID, line.LineNo, action.key)
  const blockReasons = permit?.Done ? 0 : (permit?.Conditions.filter(({ Met }) => !Met).length ?? 0)
  const word = localised(action.label)
  return (
    <ReasonedButton className="btn large" reason={whyNot(permit, { may, action: word, done: t('doneSilent') })} onClick={onAsk}>
      {blockReasons > 0 ? <Icon name="lock" /> : action.key === 'silence' && <Icon name="mute" />}
      {blockReasons > 0 ? t('blocked', { action: word, count: blockReasons }) : word}
    </ReasonedButton>
  )
}
