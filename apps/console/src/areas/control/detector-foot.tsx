import type { UserInfo } from '@linewarden/contract'
import type { Action } from '@linewarden/equipment'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { said } from '../../texts/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import type { PlacedLine } from '../monitor/equipment.ts'
import { OperateDialog } from './operate-dialog.tsx'
import { useOperationPermit } from './queries.ts'

/** What can be done with a detector, as its family has it; what blocks it is said before anybody presses. */
export function DetectorFoot({ placed, user }: { placed: PlacedLine; user: UserInfo }) {
  const { t } = useTranslation('control')
  const [asking, setAsking] = useState<'silence' | 'selfTest' | null>(null)
  const may = user.Roles.LevelBtn.includes('lineSwitch') && !user.Shared
  return (
    <footer className="operate-foot">
      {placed.family?.actions.map(
        (action) =>
          (action.key === 'silence' || action.key === 'selfTest') && (
            <ActionButton
              key={action.key}
              placed={placed}
              action={action}
              may={may}
              onAsk={() => setAsking(action.key === 'silence' ? 'silence' : 'selfTest')}
            />
          ),
      )}
      {!may && <span className="mute">{t('noPermission')}</span>}
      {asking && (
        <OperateDialog
          key={asking}
          placed={placed}
          action={asking}
          needsPassword={user.ControlPwd}
          onClose={() => setAsking(null)}
        />
      )}
    </footer>
  )
}

function ActionButton({
  placed: { device, line },
  action,
  may,
  onAsk,
}: {
  placed: PlacedLine
  action: Action
  may: boolean
  onAsk: () => void
}) {
  const permit = useOperationPermit(device.ControllerID, line.LineNo, action.key)
  const [block] = permit?.Conditions.filter(({ Met }) => !Met) ?? []
  const why = may && block ? said(block.Why ?? block.What) : null
  return (
    <span className="act">
      <button type="button" className="btn large" disabled={!may || permit?.MayClose !== true} onClick={onAsk}>
        {action.key === 'silence' && <Icon name="mute" />}
        {said(action.label)}
      </button>
      {why && <small className="mute">{why}</small>}
    </span>
  )
}
