import type { GatewayRecord } from '@linewarden/contract'
import { signalLevel } from '@linewarden/rules/site'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { dayTime, span } from '../../ui/format.ts'
import { useNow } from '../../ui/use-now.ts'
import './signal-bars.css'

type SignalOf = Pick<GatewayRecord, 'Signal' | 'DeviceType' | 'Link'>

const words = { 1: 'poor', 2: 'weak', 3: 'good', 4: 'strong' } as const

/** As it is exported: the power and its word; empty when none was said. */
export const signalText = (t: TFunction<['gateway', 'app']>, { Signal, DeviceType }: SignalOf): string =>
  Signal === null ? '' : `${Signal.Dbm} dBm ${t(`signals.${words[signalLevel(DeviceType, Signal.Dbm)]}`)}`

/** How strongly a gateway hears its network: bars, word and power. Of one that is away it is the last that was heard, and says how old. */
export function SignalBars({ gateway }: { gateway: SignalOf }) {
  const { t } = useTranslation(['gateway', 'app'])
  const now = useNow()
  const { Signal, DeviceType, Link } = gateway
  if (Signal === null) return <span>–</span>
  const level = signalLevel(DeviceType, Signal.Dbm)
  const old = Link !== 'online'
  return (
    <span className={old ? 'signal-bars old' : 'signal-bars'} title={t('signalAt', { time: dayTime(Signal.At) })}>
      <svg viewBox="0 0 18 14" aria-hidden="true">
        {[1, 2, 3, 4].map((bar) => (
          <rect
            key={bar}
            className={bar <= level ? 'heard' : 'not'}
            x={bar * 4.5 - 4}
            y={13 - bar * 3}
            width={3}
            height={bar * 3}
            strokeWidth={0.8}
          />
        ))}
      </svg>
      <span>{t(`signals.${words[level]}`)}</span>
      <span className="num mute">{Signal.Dbm} dBm</span>
      {old && <span className="mute">{t('signalOld', { duration: span(now - Signal.At) })}</span>}
    </span>
  )
}
