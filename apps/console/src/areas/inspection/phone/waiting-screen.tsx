import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Entry } from '../../../app/offline/entry.ts'
import { countsOf } from '../../../app/offline/entry.ts'
import { useKept } from '../../../app/offline/kept.ts'
import { noted, sendNow, tryAgain, useOutbox } from '../../../app/offline/outbox.ts'
import type { Space } from '../../../app/offline/space.ts'
import { space } from '../../../app/offline/space.ts'
import { mayOpen } from '../../../app/session/permitted-pages.ts'
import { useSession } from '../../../app/session/session.ts'
import { paths, phoneOrder } from '../../../paths.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { localised } from '../../../ui/i18n.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { PhotoBody } from './acts.ts'
import { GiveUpButton } from './give-up-button.tsx'
import type { KeptOrder } from './orders/kept-orders.ts'
import { isAct, isOfOrder, orderIdOf, orderThing } from './orders/order-entries.ts'
import { useKeptOrders } from './orders/use-kept-orders.ts'
import type { KeptRound } from './packages.ts'
import { PhoneScreen, toRounds, useAway } from './phone-screen.tsx'
import { KeptPicture } from './photo-field.tsx'
import { usePieces } from './photo-pieces.ts'
import { useKeptRounds } from './use-kept-rounds.ts'
import { hasWaiting, WaitingWords } from './waiting-strip.tsx'

/** Everything that the server has not named yet, as a list of things: where each is, and what somebody has to decide. */
export function WaitingScreen() {
  const { t } = useTranslation('phoneRounds')
  const user = useSession((session) => session.user)
  const isAway = useAway()
  const isSending = useOutbox(({ sending }) => sending)
  const counts = countsOf(useKept(({ entries }) => entries))
  return (
    <PhoneScreen
      title={t('waiting')}
      back={user && !mayOpen(paths.rounds, user) ? paths.phoneOrders : toRounds}
      isWaiting
      foot={
        <button
          type="button"
          className="btn primary phone-wide"
          disabled={isAway || !hasWaiting(counts)}
          aria-busy={isSending}
          onClick={() => void sendNow()}
        >
          {isAway ? t('sendOffline') : isSending ? t('sending') : t('sendNow')}
        </button>
      }
    >
      {() => <Waiting />}
    </PhoneScreen>
  )
}

function Waiting() {
  const { t } = useTranslation('phoneRounds')
  const entries = useKept((all) => all.entries)
  const [rounds = []] = useKeptRounds()
  const orders = useKeptOrders() ?? []
  const nameOf = (thing: string) => nameIn(thing, rounds, orders)
  const counts = countsOf(entries)
  const flagged = entries.filter(({ state }) => state === 'refused' || state === 'conflict')
  const waiting = entries.filter(({ state }) => state === 'waiting')
  // What the server refused it does not have.
  const isAllThere = entries.every(({ state }) => state !== 'refused')
  const photos = waiting.filter(({ kind }) => kind === 'photo')
  const acts = Map.groupBy(
    waiting.filter(({ kind }) => kind !== 'photo'),
    ({ thing }) => thing,
  )
  return (
    <>
      <h2 className="phone-waits">
        {hasWaiting(counts) ? <WaitingWords counts={counts} /> : t(isAllThere ? 'nothingWaits' : 'nothingMore')}
      </h2>
      <p className="mute">{t('byItself')}</p>
      {flagged.length > 0 && (
        <section aria-label={t('toDecide')}>
          <h3>{t('toDecide')}</h3>
          <ul className="phone-box">
            {flagged.map((entry) => (
              <Flagged key={entry.id} entry={entry} name={nameOf(entry.thing)} />
            ))}
          </ul>
        </section>
      )}
      {photos.length > 0 && (
        <ul className="phone-box">
          {photos.map((entry) => (
            <Photo key={entry.id} entry={entry as Entry<PhotoBody>} />
          ))}
        </ul>
      )}
      {acts.size > 0 && (
        <ul className="phone-box">
          {[...acts].map(([thing, own]) => (
            <li key={thing} className="phone-row2">
              <span>
                {t('actsWait', { count: own.length })}
                <small>{nameOf(thing) ?? t('unnamed')}</small>
              </span>
              <span className="state">{own.some(({ tries }) => tries > 0) ? t('triedAgain') : t('onThisPhone')}</span>
            </li>
          ))}
        </ul>
      )}
      <Stored entries={entries} />
      <div className="phone-box phone-note">
        <b>{t('keptUntilNamed')}</b>
        <p>{t('keptUntilNamedWhy')}</p>
      </div>
    </>
  )
}

/** As the round is called, or the order is numbered. */
const nameIn = (thing: string, rounds: readonly KeptRound[], orders: readonly KeptOrder[]): string | null =>
  rounds.find(({ pack }) => thing === `round:${pack.Round.RoundID}`)?.pack.Round.Name ??
  orders.find(({ order }) => thing === orderThing(order.OrderID))?.order.Number ??
  null

const pieceBytes = 262_144

function Photo({ entry }: { entry: Entry<PhotoBody> }) {
  const { t } = useTranslation('phoneRounds')
  const sent = usePieces((pieces) => pieces.get(entry.body.Hash) ?? 0)
  const all = Math.ceil(entry.body.Size / pieceBytes)
  const done = Math.min(all, Math.floor(sent / pieceBytes))
  return (
    <li className="phone-up">
      <KeptPicture hash={entry.body.Hash} />
      <span>
        {entry.body.About}
        <small>{t('size', { kb: Math.ceil(entry.body.Size / 1_000) })}</small>
        <span className="pieces" aria-hidden="true">
          {Array.from({ length: all }, (_, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
            <i key={at} className={at < done ? 'on' : undefined} />
          ))}
        </span>
      </span>
      <span className="state">{done > 0 ? t('piecesSent', { done, of: all }) : t('onThisPhone')}</span>
    </li>
  )
}

function Flagged({ entry, name }: { entry: Entry; name: string | null }) {
  const { t } = useTranslation(['phoneRounds', 'phoneOrders'])
  const [isAsking, setAsking] = useState(false)
  const isRefused = entry.state === 'refused'
  const isPhoto = isRefused && entry.kind === 'photo'
  const kind = isAct(entry) ? t(`phoneOrders:does.${entry.body.Does}`) : t(`kinds.${isKind(entry.kind) ? entry.kind : 'other'}`)
  const what = `${kind} · ${name ?? t('unnamed')}`
  const words = (
    <span>
      {isOfOrder(entry) ? (
        <Link className="text-link" to={phoneOrder(orderIdOf(entry))}>
          {what}
        </Link>
      ) : (
        what
      )}
      <small>{entry.why ? localised(entry.why) : t(isRefused ? 'refused' : 'conflict')}</small>
      {isPhoto && !isOfOrder(entry) && <small>{t('photoAgain')}</small>}
    </span>
  )
  // An answer is given anew at its stop; a photo that came too late is sent as it is.
  if (isPhoto)
    return (
      <li className="phone-item">
        {words}
        <div className="phone-row phone-presses">
          <button type="button" className="btn" onClick={() => void tryAgain(entry.id)}>
            {t('again')}
          </button>
          <GiveUpButton id={entry.id} />
        </div>
      </li>
    )
  return (
    <li className="phone-row2">
      {words}
      {isRefused ? (
        <GiveUpButton id={entry.id} />
      ) : (
        <button type="button" className="btn" onClick={() => setAsking(true)}>
          {t('seen')}
        </button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={t('seen')}
          what={t('seenWhat')}
          submit={t('seen')}
          onConfirm={async () => {
            await noted(entry.id)
            return null
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  )
}

const isKind = (kind: string): kind is 'answer' | 'photo' | 'finish' | 'order' =>
  ['answer', 'photo', 'finish', 'order'].includes(kind)

function Stored({ entries }: { entries: readonly Entry[] }) {
  const { t } = useTranslation('phoneRounds')
  const [left, setLeft] = useState<Space | null>(null)
  useEffect(() => {
    space().then(setLeft, reportError)
  }, [])
  const stored = entries.filter(({ state }) => state === 'held')
  return (
    <ul className="phone-box">
      <li className="phone-row2">
        <span>
          {t('stored')}
          <small>{t('storedCount', { count: stored.length })}</small>
        </span>
        <Icon name="check" />
      </li>
      <li className="phone-row2">
        <span>
          {t('space')}
          <small>
            {left?.photos === null || left === null
              ? t('spaceUnknown')
              : left.isFull
                ? t('full')
                : t('spaceFor', { count: Math.min(left.photos, 9_999) })}
          </small>
        </span>
        {left?.leftBytes != null && <span className="state">{Math.floor(left.leftBytes / 1e6)} MB</span>}
      </li>
    </ul>
  )
}
