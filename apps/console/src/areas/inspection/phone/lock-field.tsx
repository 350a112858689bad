import type { RoundStop } from '@linewarden/contract'
import { inspect } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { create } from 'zustand'
import { messageOf } from '../../../app/net/api.ts'
import { change } from '../../../app/net/change.ts'
import { useMay } from '../../../app/session/use-may.ts'
import { useNow } from '../../../ui/use-now.ts'
import { useAway } from './phone-screen.tsx'

/** Until when nothing there is closed or tested, by the equipment that was inspected. */
const useLocks = create<{ readonly until: ReadonlyMap<string, number> }>(() => ({ until: new Map() }))

const lockMs = 60_000
const keyOf = ({ DeviceID, ControllerID }: RoundStop): string => `${DeviceID} ${ControllerID ?? ''}`

/**
 * The one minute in which nothing at this stop is closed or tested from afar. It says in words that it is no lock-out; without a server, or
 * without the right to begin it, it says that there is no such minute at all.
 */
export function LockField({ stop }: { stop: RoundStop }) {
  const { t } = useTranslation('phoneRounds')
  const now = useNow()
  const isAway = useAway()
  const may = useMay('lineSwitch')
  const until = useLocks((locks) => locks.until.get(keyOf(stop)) ?? 0)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const { DeviceID, ControllerID } = stop
  // A place with a name has nothing that could be operated.
  if (DeviceID === null) return null
  const left = Math.ceil((until - now) / 1_000)
  const begin = async () => {
    if (busy) return
    setBusy(true)
    setProblem(null)
    try {
      const { Until } = await change(inspect, { body: { DeviceID, ...(ControllerID !== null && { ControllerID }) } })
      useLocks.setState(({ until: before }) => ({ until: new Map(before).set(keyOf(stop), Until) }))
    } catch (error) {
      setProblem(messageOf(error))
    }
    setBusy(false)
  }
  const isLocked = left > 0
  return (
    <section className={isLocked ? 'phone-lock' : 'phone-lock off'} aria-label={t('lock')}>
      {isLocked && <Ring left={left} />}
      <div>
        <b role="status">
          {isLocked ? t('locksFor', { count: left }) : isAway ? t('noLockOffline') : may ? t('noLock') : t('noLockRight')}
        </b>
        <small>{t('noLockOut')}</small>
        {problem !== null && <small role="alert">{problem}</small>}
      </div>
      {may && !isAway && (
        <button type="button" className="btn" aria-busy={busy} onClick={() => void begin()}>
          {t(isLocked ? 'renewLock' : 'beginLock')}
        </button>
      )}
    </section>
  )
}

const radius = 30

function Ring({ left }: { left: number }) {
  const length = 2 * Math.PI * radius
  const share = Math.min(1, (left * 1_000) / lockMs)
  return (
    <svg width="72" height="72" viewBox="0 0 72 72" aria-hidden="true">
      <circle cx="36" cy="36" r={radius} className="all" />
      <circle
        cx="36"
        cy="36"
        r={radius}
        className="left"
        strokeDasharray={`${length * share} ${length}`}
        transform="rotate(-90 36 36)"
      />
      <text x="36" y="44" textAnchor="middle">
        {left}
      </text>
    </svg>
  )
}
