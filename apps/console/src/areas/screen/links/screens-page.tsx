import type { Reply, ScreenLink } from '@linewarden/contract'
import { type addScreen, listScreens, revokeScreen } from '@linewarden/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { change } from '../../../app/net/change.ts'
import { errorTextOf } from '../../../app/net/error-text.ts'
import { Unloaded } from '../../../app/net/unloaded.tsx'
import { useCall } from '../../../app/net/use-call.ts'
import { useMayEdit } from '../../../app/session/use-may.ts'
import { Empty } from '../../../ui/body-state.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { CopyValue } from '../../../ui/copy-value.tsx'
import { addTexts } from '../../../ui/i18n.ts'
import { Page } from '../../../ui/page.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'
import { ShownOnce } from '../../../ui/shown-once.tsx'
import { PairDialog } from './pair-dialog.tsx'
import { ScreenCard } from './screen-card.tsx'
import { ScreenForm } from './screen-form.tsx'
import { addressOfKey } from './screen-values.ts'
import { screens } from './screens-texts.ts'
import './screens-page.css'

addTexts({ screens })

type Made = Reply<typeof addScreen>
type Open =
  | { readonly kind: 'form'; readonly link: ScreenLink | null }
  | { readonly kind: 'key'; readonly made: Made }
  | { readonly kind: 'revoke'; readonly link: ScreenLink }
  | { readonly kind: 'take'; readonly link: ScreenLink; readonly seatId: string }
  | { readonly kind: 'pair'; readonly code: string }

/** Screen links with the browsers that show them. */
export function ScreensPage() {
  const { t } = useTranslation('screens')
  const [search, setSearch] = useSearchParams()
  const mayEdit = useMayEdit()
  const code = search.get('pair')
  const [open, setOpen] = useState<Open | null>(code === null ? null : { kind: 'pair', code })
  const query = useCall(listScreens, { query: { Size: 200 } }, { refetchInterval: 10_000, enabled: mayEdit })
  const { data } = query
  const leave = (kind: Open['kind']) => () => {
    // What a form leads to must still be seen when it closes.
    setOpen((now) => (now?.kind === kind ? null : now))
    if (kind === 'pair' && code !== null) setSearch({}, { replace: true })
  }
  if (!mayEdit)
    return (
      <Page title={t('title')}>
        <Empty title={t('onlyManagers')} />
      </Page>
    )
  return (
    <Page
      title={t('title')}
      tools={
        <>
          <button type="button" className="btn" onClick={() => setOpen({ kind: 'pair', code: '' })}>
            {t('pair')}
          </button>
          <button type="button" className="btn primary" onClick={() => setOpen({ kind: 'form', link: null })}>
            {t('add')}
          </button>
        </>
      }
    >
      <div className="screens">
        <p className="mute">{t('what')}</p>
        <Unloaded query={query} />
        {data?.items.length === 0 && <Empty title={t('none')} />}
        <ul className="screen-links" aria-label={t('title')}>
          {data?.items.map((link) => (
            <ScreenCard
              key={link.ScreenID}
              link={link}
              onEdit={() => setOpen({ kind: 'form', link })}
              onRevoke={() => setOpen({ kind: 'revoke', link })}
              onTake={(seatId) => setOpen({ kind: 'take', link, seatId })}
            />
          ))}
        </ul>
      </div>
      {open?.kind === 'form' && (
        <ScreenForm link={open.link} onMade={(made) => setOpen({ kind: 'key', made })} onClose={leave('form')} />
      )}
      {open?.kind === 'key' && <Key made={open.made} onClose={leave('key')} />}
      {open?.kind === 'pair' && <PairDialog code={open.code} links={data?.items ?? []} onClose={leave('pair')} />}
      {(open?.kind === 'revoke' || open?.kind === 'take') && <End open={open} onClose={leave(open.kind)} />}
    </Page>
  )
}

/** Ends a link, or one screen of it. */
function End({ open, onClose }: { open: Open & { readonly kind: 'revoke' | 'take' }; onClose: () => void }) {
  const { t } = useTranslation('screens')
  const { ScreenID, Name } = open.link
  const isOne = open.kind === 'take'
  const body = isOne ? { ScreenID, SeatID: open.seatId } : { ScreenID }
  return (
    <ConfirmDialog
      title={t(isOne ? 'takeTitle' : 'revokeTitle', { name: Name })}
      what={t(isOne ? 'takeWhat' : 'revokeWhat')}
      submit={t(isOne ? 'take' : 'revoke')}
      onClose={onClose}
      onConfirm={() => errorTextOf(change(revokeScreen, { body }))}
    />
  )
}

function Key({ made: { Screen, Key: key }, onClose }: { made: Made; onClose: () => void }) {
  const { t } = useTranslation('screens')
  const address = addressOfKey(location.origin, key)
  return (
    <ShownOnce title={t('keyTitle', { name: Screen.Name })} caution={t('keyOnce')} kept={t('keyKept')} wide onClose={onClose}>
      <CopyValue label={t('address')} value={address} />
      <p>{t('keyHow')}</p>
      <div className="screen-key">
        <QrCode text={address} label={t('keyQr')} />
      </div>
    </ShownOnce>
  )
}
