import { create } from 'zustand'

type AccountDialog = 'info' | 'password' | 'control' | 'factor' | 'sessions' | 'leave'

/** Which dialog of the own account is open: the user menu shows it, and other dialogs may lead to it. */
export const useAccountDialog = create<{ readonly open: AccountDialog | null }>(() => ({ open: null }))

export const openAccountDialog = (open: AccountDialog | null): void => useAccountDialog.setState({ open })
