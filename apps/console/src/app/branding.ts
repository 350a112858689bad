import type { Branding } from '@linewarden/contract'
import { branding } from '@linewarden/contract'
import { create } from 'zustand'
import { said } from '../texts/i18n.ts'
import { nameFilesAfter } from '../ui/csv.ts'
import { api } from './api.ts'

const none: Branding = { Name: null, Title: null, Logo: '', SignOn: null }

/** Whose installation this is, for the login page, the header, the titles and the exports. */
export const useBranding = create<Branding>(() => none)

/** Asks the server; without an answer the product stands under its own name. */
export async function loadBranding(): Promise<void> {
  const told = await api.call(branding).catch(() => null)
  if (!told) return
  useBranding.setState(told)
  nameFilesAfter(brandName(told))
}

/** The name in the person's language; empty: nobody is named. */
export const brandName = ({ Name }: Branding): string => (Name ? said(Name) : '')

/** The configured title of every page; null: the specification's. */
export const brandTitle = ({ Title }: Branding): string | null => Title && said(Title)
