/**
 * A `fetch` that tells when the server has opened the stream of its announcements: the SDKs open it in their own time,
 * and what is announced before is lost to them.
 */
export const createListeningFetch = () => {
  let opened: () => void = () => {}
  const listening = new Promise<void>((resolve) => {
    opened = resolve
  })
  const listeningFetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(url, init)
    const isListening = init.method === 'GET' || String(init.body).includes('"subscriptions/listen"')
    if (isListening && response.ok) opened()
    return response
  }
  return { listening, fetch: listeningFetch }
}
