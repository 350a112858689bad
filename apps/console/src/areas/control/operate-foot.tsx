import type { UserInfo } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ReasonedButton } from '../../app/notify/reasoned-button.tsx'
import type { LineRef } from '../../plant/equipment.ts'
import { localised } from '../../ui/i18n.ts'
import { Icon } from '../../ui/icon.tsx'
import { SwitchSymbol } from '../../ui/switch-symbol.tsx'
import { OperateDialog } from './operate-dialog.tsx'
import { useFreshPermit } from './queries.ts'
import { whyNot } from './why-not.ts'

/** Trip first, never blocked by an interlock; close second, and when it is blocked it says by how much. */
export function OperateFoot({ lineRef, user, onOrdered }: { lineRef: LineRef; user: UserInfo; onOrdered: () => void }) {
  const { t } = useTranslation('control')
  const { device, line } = lineRef
  const data = useFreshPermit(device.ControllerID, line.LineNo)
  const [asking, setAsking] = useState<'trip' | 'close' | null>(null)
  const may = user.Roles.LevelBtn.includes('lineSwitch') && !user.Shared
  const word = (key: 'trip' | 'close') =>
    // A switched way is no breaker: it is called what its family calls it.
    lineRef.family?.icon === 'ways'
      ? localised(lineRef.family.actions.find((each) => each.key === key)?.label ?? { zh: t(key), en: t(key) })
      : t(key)
  const blockReasons = data?.Done ? 0 : (data?.Conditions.filter(({ Met }) => !Met).length ?? 0)
  return (
    <footer className="operate-foot">
      <ReasonedButton className="btn large" reason={may ? null : t('noPermission')} onClick={() => setAsking('trip')}>
        <SwitchSymbol state="open" />
        {word('trip')}
      </ReasonedButton>
      <ReasonedButton
        className="btn large"
        reason={whyNot(data, {
          may,
          action: word('close'),
          done: t(lineRef.family?.icon === 'ways' ? 'doneOn' : 'doneClosed'),
        })}
        onClick={() => setAsking('close')}
      >
        {blockReasons > 0 ? <Icon name="lock" /> : <SwitchSymbol state="closed" />}
        {blockReasons > 0 ? t('blocked', { action: word('close'), count: blockReasons }) : word('close')}
      </ReasonedButton>
      {!may && <span className="mute">{t('noPermission')}</span>}
      {asking && (
        <OperateDialog key={asking} lineRef={lineRef} action={asking} onOrdered={onOrdered} onClose={() => setAsking(null)} />
      )}
    </footer>
  )
}
