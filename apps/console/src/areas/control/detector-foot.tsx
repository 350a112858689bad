import type { UserInfo } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import type { PlacedLine } from '../monitor/equipment.ts'
import { useLine } from '../monitor/live-store.ts'
import { OperateDialog } from './operate-dialog.tsx'

/** What can be done with a detector: silence it while it sounds, have it test itself. */
export function DetectorFoot({ placed, user }: { placed: PlacedLine; user: UserInfo }) {
  const { t } = useTranslation('control')
  const state = useLine(placed.line.LineID)
  const [asking, setAsking] = useState<'silence' | 'selfTest' | null>(null)
  const actions = placed.family?.actions ?? []
  if (actions.length === 0) return null
  const may = user.Roles.LevelBtn.includes('lineSwitch') && !user.Shared
  const has = (key: string) => actions.some((each) => each.key === key)
  return (
    <footer className="operate-foot">
      {has('silence') && (
        <button
          type="button"
          className="btn large"
          disabled={!may || state?.States.sounder !== 'sounding'}
          onClick={() => setAsking('silence')}
        >
          <Icon name="mute" />
          {t('silence')}
        </button>
      )}
      {has('selfTest') && (
        <button type="button" className="btn large" disabled={!may} onClick={() => setAsking('selfTest')}>
          {t('detectorTest')}
        </button>
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
