import type { UpgradeRecord } from '@linewarden/contract'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { Mark } from '../../ui/mark.tsx'
import './firmware.css'

type T = TFunction<['firmware', 'app']>

/** Why it waits or failed, in words; empty when there is nothing to say. */
export function whyOf(t: T, { State, Waiting, Why }: UpgradeRecord): string {
  if (Waiting !== null) return t(`waits.${Waiting}`)
  if (State === 'waiting') return ''
  if (Why === null) return ''
  const known = t(`whys.${Why as 'stalled'}`, { defaultValue: Why })
  return known
}

/** Where one gateway stands: the word, how far, and why. Only what went wrong has a colour. */
export function UpgradeState({ upgrade }: { upgrade: UpgradeRecord }) {
  const { t } = useTranslation(['firmware', 'app'])
  const { State, Progress } = upgrade
  const bad = State === 'failed' || State === 'unknown'
  const why = whyOf(t, upgrade)
  const partly = State === 'downloading' || (State === 'waiting' && Progress > 0)
  const percent = Math.floor(Progress * 100)
  return (
    <span className={bad ? 'upgrade-state bad' : 'upgrade-state'}>
      {bad && <Mark kind={State === 'unknown' ? 'off' : 'fault'} />}
      <span>
        {t(`states.${State}`)}
        {partly && <b className="num"> {percent}%</b>}
        {why !== '' && <small>{why}</small>}
      </span>
      {partly && <progress value={Progress} max={1} aria-label={`${upgrade.GatewayName} ${t('progress')}`} />}
    </span>
  )
}
