const place = 'pegboard.key'

/** The key to show: for this tab, or for this browser where somebody asked for it. */
export const readKey = (): string | undefined =>
  sessionStorage.getItem(place) ?? localStorage.getItem(place) ?? undefined

export const keepKey = (key: string, remember: boolean): void => {
  forgetKey()
  if (remember) localStorage.setItem(place, key)
  else sessionStorage.setItem(place, key)
}

export const forgetKey = (): void => {
  sessionStorage.removeItem(place)
  localStorage.removeItem(place)
}

/** Takes the key of a link `#key=…` out of the address, so that it is neither bookmarked nor seen over a shoulder. */
export const takeKeyOfLink = (): void => {
  const [, key] = /^#key=(rtk_[0-9a-f]{64})$/.exec(location.hash) ?? []
  if (key === undefined) return
  keepKey(key, false)
  history.replaceState(null, '', `${location.pathname}#/`)
}
