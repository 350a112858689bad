import type { ReactNode } from 'react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from './icon.tsx'
import './drawer.css'

/** A panel at the right, full height; what is left of it stays usable. Escape closes it and gives the focus back. */
export function Drawer({
  label,
  title,
  subtitle,
  tabs,
  panel,
  foot,
  phases,
  onClose,
  children,
}: {
  /** Its name for who cannot see it. */
  label: string
  title: ReactNode
  subtitle?: ReactNode
  tabs?: ReactNode
  /** Which tab the content is, for who cannot see it. */
  panel?: { readonly id: string; readonly tab: string }
  foot?: ReactNode
  /** By which standard the phases in it are coloured; the installation's own unless said. */
  phases?: 'iec' | undefined
  onClose: () => void
  children: ReactNode
}) {
  const { t } = useTranslation()
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    const before = document.activeElement
    ref.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    // A button that was pressed and may not be pressed again loses the focus, and with it the drawer would no longer hear the key.
    const leave = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && event.target === document.body && !document.querySelector('dialog[open]')) close.current()
    }
    document.addEventListener('keydown', leave)
    return () => document.removeEventListener('keydown', leave)
  }, [])
  return (
    <section
      className="drawer"
      data-phases={phases}
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      ref={ref}
      onKeyDown={(event) => {
        // Escape in a dialog over the drawer closes the dialog alone.
        if (event.key === 'Escape' && event.target instanceof Element && !event.target.closest('dialog')) onClose()
      }}
    >
      <header>
        <div className="title">
          {title}
          <span className="grow" />
          <button type="button" className="btn quiet" aria-label={t('close')} onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {subtitle}
      </header>
      {tabs}
      <div
        className="content"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        // Each tab begins at its top.
        key={panel?.tab}
        {...(panel && { id: panel.id, role: 'tabpanel', 'aria-label': label })}
      >
        {children}
      </div>
      {foot}
    </section>
  )
}
