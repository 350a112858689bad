import type { ScreenLink, ScreenSeat } from '@linewarden/contract'
import { listScreenSeats } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { dayTime, span } from '../../../ui/format.ts'
import { useByNow } from '../../../ui/use-now.ts'

interface Props {
  readonly link: ScreenLink
  readonly onEdit: () => void
  readonly onRevoke: () => void
  readonly onTake: (seatId: string) => void
}

/** A wall says that it is there every half minute: after four of them it is not. */
const silentMs = 120_000

/** One link: how many browsers show it, when one was last heard, and which they are. */
export function ScreenCard({ link, onEdit, onRevoke, onTake }: Props) {
  const { t } = useTranslation(['screens', 'app'])
  const [isOpen, setOpen] = useState(false)
  const { Name, Seats, MostSeats, LastBeat, RevokedAt, HardUntil } = link
  const isOver = useByNow((now) => HardUntil !== null && now >= HardUntil)
  return (
    <li aria-label={Name}>
      <div className="screen-title">
        <b>{Name}</b>
        {RevokedAt !== null && <span className="chip">{t('revoked')}</span>}
        {RevokedAt === null && isOver && <span className="chip">{t('over')}</span>}
        {RevokedAt === null && <span>{t('seats', { count: Seats, most: MostSeats })}</span>}
        <Beat at={LastBeat} isShown={RevokedAt === null} />
      </div>
      {isOpen && <Browsers screenId={link.ScreenID} onTake={onTake} />}
      <div className="acts">
        <button type="button" className="btn small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'hideSeats' : 'showSeats')}
        </button>
        {RevokedAt === null && (
          <>
            <button type="button" className="btn small" onClick={onEdit}>
              {t('app:edit')}
            </button>
            <button type="button" className="btn small" onClick={onRevoke}>
              {t('revoke')}
            </button>
          </>
        )}
      </div>
    </li>
  )
}

function Beat({ at, isShown }: { at: number | null; isShown: boolean }) {
  const { t } = useTranslation('screens')
  const age = useByNow((now) => (at === null ? '' : span(Math.max(0, now - at))))
  const isSilent = useByNow((now) => at !== null && now - at >= silentMs)
  if (at === null) return <span className="mute">{t('never')}</span>
  return (
    <span className="mute">
      {t('lastBeat', { age })} {isShown && isSilent && <b className="chip">{t('silent')}</b>}
    </span>
  )
}

function Browsers({ screenId, onTake }: { screenId: number; onTake: (seatId: string) => void }) {
  const { t } = useTranslation('screens')
  const query = useCall(listScreenSeats, { query: { ScreenID: screenId } }, { refetchInterval: 10_000 })
  const { data } = query
  return (
    <>
      <Unloaded query={query} />
      {data?.items.length === 0 && <p className="mute">{t('noSeats')}</p>}
      <ul className="screen-seats">
        {data?.items.map((seat) => (
          <Seat key={seat.SeatID} seat={seat} onTake={() => onTake(seat.SeatID)} />
        ))}
      </ul>
    </>
  )
}

function Seat({ seat, onTake }: { seat: ScreenSeat; onTake: () => void }) {
  const { t } = useTranslation('screens')
  const { Address, Browser, LastBeat, State, EndedAt, EndedWhy } = seat
  return (
    <li aria-label={`${t('seat')} ${Address}`}>
      <div className="screen-title">
        <b>{Address}</b>
        {EndedAt === null && <Beat at={LastBeat} isShown />}
        {EndedAt !== null && (
          <span className="mute">
            {t('ended', { when: dayTime(EndedAt), why: EndedWhy === null ? '' : t(`endedWhy.${EndedWhy}`) })}
          </span>
        )}
      </div>
      <p className="mute">{Browser}</p>
      {State && EndedAt === null && (
        <p className="mute">
          {t('page')} {State.Page} · {t('build')} {State.Build}
          {State.HeapMb !== null && ` · ${t('heap', { mb: State.HeapMb })}`}
          {State.LateMs !== null && ` · ${t('late', { ms: State.LateMs })}`}
        </p>
      )}
      {EndedAt === null && (
        <div className="acts">
          <button type="button" className="btn small" onClick={onTake}>
            {t('take')}
          </button>
        </div>
      )}
    </li>
  )
}
