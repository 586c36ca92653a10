const words = (text: string): readonly string[] => text.trim().split(/\s+/)

/** Verbs whose doers name tools: `converter`, `translator`, `scraper`. */
export const agentVerbs: ReadonlySet<string> = new Set(
  words(`
    add aggregate analyse analyze annotate archive browse build calculate call capture chart check clean clip collect compare compile
    compose compress connect convert count crawl create debug decode delete deploy design detect download draw edit
    encode encrypt estimate evaluate execute explain explore export extract fetch find fix format forecast generate
    import index inspect install invoke launch learn list listen load locate log make manage match measure merge
    migrate monitor navigate notify optimise optimize organise organize parse plan plot predict process
    profile program publish query rank read receive recognise recognize recommend record remind remove rename render
    replace report resize resolve retrieve review rewrite run scan schedule scrape search select send shorten simulate
    solve sort speak split stream subscribe suggest summarise summarize sync synthesise synthesize teach test
    track transcribe transform translate trim upload validate verify view visualise visualize watch write`),
)

/** Forms no suffix rule reaches. */
export const irregular: ReadonlyMap<string, string> = new Map(
  words(`
    sent=send found=find bought=buy sold=sell wrote=write written=write ran=run made=make took=take taken=take gave=give
    given=give went=go gone=go came=come got=get kept=keep left=leave lost=lose paid=pay spent=spend built=build
    drew=draw drawn=draw drove=drive driven=drive flew=fly flown=fly spoke=speak spoken=speak chose=choose chosen=choose
    broke=break broken=break hidden=hide won=win thought=think taught=teach caught=catch held=hold met=meet
    told=tell heard=hear slept=sleep ate=eat eaten=eat began=begin begun=begin knew=know known=know
    children=child people=person men=man women=woman feet=foot teeth=tooth mice=mouse indices=index indexes=index
    matrices=matrix vertices=vertex criteria=criterion media=media news=news analyses=analyse analysis=analyse
    analytics=analyse analytic=analyse diagnosis=diagnose diagnoses=diagnose hypotheses=hypothesis series=series
    lives=life wives=wife knives=knife leaves=leaf shelves=shelf halves=half
    notification=notify verification=verify classification=classify modification=modify identification=identify
    specification=specify authentication=authenticate simplification=simplify application=app applications=app
    apps=app conversion=convert deletion=delete insertion=insert extraction=extract compression=compress
    subscription=subscribe description=describe transcription=transcribe prescription=prescribe
    decision=decide division=divide revision=revise removal=remove approval=approve renewal=renew
    retrieval=retrieve arrival=arrive rental=rent payment=pay booking=book meeting=meeting building=building
    setting=setting settings=setting string=string strings=string thing=thing things=thing spring=spring
    evening=evening morning=morning pricing=price prices=price colour=color colours=color favourite=favorite
    organisation=organization centre=center catalogue=catalog licence=license
    repo=repository repos=repository db=database dbs=database doc=document docs=document pic=picture pics=picture
    photo=photo photos=photo info=information msg=message msgs=message dir=directory dirs=directory
    config=configuration configs=configuration param=parameter params=parameter env=environment auth=authenticate
    math=mathematics maths=mathematics exam=examine
    today=today weather=weather`).map((pair) => pair.split('=') as [string, string]),
)
