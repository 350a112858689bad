import type { UserInfo } from '@linewarden/contract'
import { setSwitchSetting } from '@linewarden/contract'
import type { KeyboardEvent } from 'react'
import { Suspense, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { api } from '../../app/net/api.ts'
import { callWithToast } from '../../app/net/call-with-toast.ts'
import { lazyDialog } from '../../app/net/lazy-dialog.tsx'
import { setSoundSwitch, useSoundSwitch } from '../../app/notify/sound-switch.ts'
import { openAccountDialog, useAccountDialog } from '../../app/session/account-dialog.ts'
import { setUser, useSession } from '../../app/session/session.ts'
import { signOut } from '../../app/session/sign-out.ts'
import { Icon } from '../../ui/icon.tsx'

const MyAccount = lazyDialog(async () => (await import('./my-account.tsx')).MyAccount)
const ControlPasswordDialog = lazyDialog(async () => (await import('./control-password-dialog.tsx')).ControlPasswordDialog)
const SecondFactorDialog = lazyDialog(async () => (await import('./second-factor-dialog.tsx')).SecondFactorDialog)
const SessionsDialog = lazyDialog(async () => (await import('./sessions-dialog.tsx')).SessionsDialog)

/** What concerns the person: the provider's site where it is opened on its host, sound, and the way out. */
export function UserMenu() {
  const user = useSession((state) => state.user)
  return user && <MenuOf user={user} />
}

function MenuOf({ user }: { user: UserInfo }) {
  const { t } = useTranslation(['app', 'people', 'security'])
  const dialog = useAccountDialog(({ open }) => open)
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const sound = useSoundSwitch((state) => state.on) && user.Setting === 1
  const name = user.NickName || user.UserName
  const switchSound = async () => {
    const on = !sound
    setSoundSwitch(on)
    // The account's own switch is only ever asked to go on: turning it off here must not silence the person's other devices.
    if (on && user.Setting === 0 && (await callWithToast(api.call(setSwitchSetting, { body: { Setting: 1 } }))))
      setUser({ ...user, Setting: 1 })
  }
  const ask: typeof openAccountDialog = (what) => {
    setOpen(false)
    // Back here when the dialog closes.
    button.current?.focus()
    openAccountDialog(what)
  }
  const close = () => {
    setOpen(false)
    button.current?.focus()
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
  const closeDialog = () => openAccountDialog(null)
  const provider = user.Provider?.Host === location.hostname ? user.Provider : null
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
          {provider && (
            <a role="menuitem" href={provider.Url} target="_blank" rel="noreferrer">
              <Icon name="external" />
              {provider.Name}
            </a>
          )}
          <button type="button" role="menuitemcheckbox" aria-checked={sound} onClick={switchSound}>
            <Icon name={sound ? 'sound' : 'mute'} />
            {t('sound')}
            <span className="grow" />
            {sound ? t('on') : t('off')}
          </button>
          <button type="button" role="menuitem" onClick={() => ask('info')}>
            <Icon name="edit" />
            {t('people:myAccount')}
          </button>
          <button type="button" role="menuitem" onClick={() => ask('password')}>
            <Icon name="lock" />
            {t('people:myPassword')}
          </button>
          {!user.Shared && (
            <button type="button" role="menuitem" onClick={() => ask('control')}>
              <Icon name="hand" />
              {t('people:controlPwd')}
            </button>
          )}
          <button type="button" role="menuitem" onClick={() => ask('factor')}>
            <Icon name="shield" />
            {t('security:factor')}
          </button>
          <button type="button" role="menuitem" onClick={() => ask('sessions')}>
            <Icon name="user" />
            {t('people:sessions')}
          </button>
          <button type="button" role="menuitem" onClick={() => signOut(user.UserID)}>
            <Icon name="exit" />
            {t('signOut')}
          </button>
        </div>
      )}
      {createPortal(
        <Suspense>
          {dialog === 'sessions' && <SessionsDialog accountId={null} title={t('people:sessions')} onClose={closeDialog} />}
          {dialog === 'control' && <ControlPasswordDialog onClose={closeDialog} />}
          {dialog === 'factor' && <SecondFactorDialog onClose={closeDialog} />}
          {(dialog === 'info' || dialog === 'password') && <MyAccount what={dialog} onClose={closeDialog} />}
        </Suspense>,
        // What the header does to its own buttons is not for those of a dialog.
        document.body,
      )}
    </div>
  )
}
