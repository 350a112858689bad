import type { UserInfo } from '@linewarden/contract'
import type { KeyboardEvent } from 'react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasUnsent } from '../../app/offline/unsent.ts'
import { openAccountDialog } from '../../app/session/account-dialog.ts'
import { useSession } from '../../app/session/session.ts'
import { signOut } from '../../app/session/sign-out.ts'
import type { IconName } from '../../ui/icon.tsx'
import { Icon } from '../../ui/icon.tsx'
import { AccountDialogs } from './account-dialogs.tsx'
import { SoundItem } from './sound-item.tsx'

/** What concerns the person: the provider's site where it is opened on its host, sound, and the way out. */
export function UserMenu() {
  const user = useSession((state) => state.user)
  if (!user) return null
  return (
    <>
      <MenuOf user={user} />
      {/* Beside the menu and not in it: keys that are pressed in a dialog are none of the menu's. */}
      <AccountDialogs />
    </>
  )
}

function MenuOf({ user }: { user: UserInfo }) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const name = user.NickName || user.UserName
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const ask: typeof openAccountDialog = (what) => {
    // Back to the button when the dialog closes.
    close()
    openAccountDialog(what)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const items = [...(menu.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
    const at = items.indexOf(document.activeElement as HTMLElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
    if (event.key === 'Escape') close()
    else if (to !== undefined) {
      event.preventDefault()
      items[(to + items.length) % items.length]?.focus()
    }
  }
  return (
    <div
      className="user"
      role="group"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
      onKeyDown={onKeyDown}
    >
      <button
        type="button"
        className="btn quiet"
        aria-haspopup="menu"
        aria-expanded={open}
        title={name}
        ref={button}
        onClick={() => setOpen(!open)}
      >
        <span className="avatar" aria-hidden="true">
          {[...name][0]?.toUpperCase()}
        </span>
        <bdi className="who">{name}</bdi>
        <Icon name="down" />
      </button>
      {open && (
        <div className="drop" role="menu" ref={menu} aria-label={name}>
          <Items user={user} ask={ask} />
        </div>
      )}
    </div>
  )
}

function Items({ user, ask }: { user: UserInfo; ask: typeof openAccountDialog }) {
  const { t } = useTranslation(['app', 'people', 'security'])
  const leave = async () => {
    if (await hasUnsent(user.UserID)) ask('leave')
    else await signOut(user.UserID)
  }
  const provider = user.Provider?.Host === location.hostname ? user.Provider : null
  return (
    <>
      {provider && (
        <a role="menuitem" href={provider.Url} target="_blank" rel="noreferrer">
          <Icon name="external" />
          {provider.Name}
        </a>
      )}
      <SoundItem user={user} />
      <Item icon="edit" label={t('people:myAccount')} onClick={() => ask('info')} />
      <Item icon="lock" label={t('people:myPassword')} onClick={() => ask('password')} />
      {!user.Shared && <Item icon="hand" label={t('people:controlPwd')} onClick={() => ask('control')} />}
      <Item icon="shield" label={t('security:factor')} onClick={() => ask('factor')} />
      <Item icon="user" label={t('people:sessions')} onClick={() => ask('sessions')} />
      <Item icon="exit" label={t('signOut')} onClick={() => void leave()} />
    </>
  )
}

function Item({ icon, label, onClick }: { icon: IconName; label: string; onClick: () => void }) {
  return (
    <button type="button" role="menuitem" onClick={onClick}>
      <Icon name={icon} />
      {label}
    </button>
  )
}
