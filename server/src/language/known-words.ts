import { foldWord } from "./folding.ts";

/**
 * Words that are no name although they are written with a capital: what sentences, values and
 * letters begin with, and what a summary calls the people and things of a demo. They need not be
 * complete: a word that is missing costs a sentence, and only if nobody said it. A first name that
 * is also a word, such as Will or Mark, does not belong here.
 */
export function knownWordsOf(language: string): ReadonlySet<string> | undefined {
  return known.get(language);
}

const ENGLISH = `a about above according across actually additionally after afterwards again all almost along already also
  although among an and another any anyone anything apart are as asked asks at based be because been before being below
  beside besides better between beyond both but by can cannot clear clearly close could currently dear despite did do
  does due during each early either else especially even eventually every everyone everything exactly except fast faster
  few finally first five for four from full fully further furthermore general generally given good great had half has
  have having he hello hence her here hi high his how however if important in indeed initially instead interested into
  is it its just key keeps last late later lately latest least less like likely little local long looks low main mainly
  makes many may maybe meanwhile might monthly more moreover most mostly much must my nearly needs neither never new
  next no nobody none nor not nothing now of off often ok okay old on once one only open or other others otherwise our
  out over overall part per perhaps please possible possibly potential prefers previously primarily probably quick
  quickly quite rather ready really recently regarding said same says second see seeks seems seen several shall she
  short should similarly simple since six slow small so some somebody someone something sometimes soon still strong
  such sure ten than thank thanks that the their them then there therefore these they third this those though three
  through throughout thus to today together tomorrow too towards two under unclear unfortunately unless until up upon
  us used users uses usually various very via wants was we weekly well went were what when where whereas whether which
  while who whole whom whose why wide wishes with within without works would yearly yes yesterday yet you your
  ai agent agents agreed answer answers app assistant benefit best budget business buyer call case chat client clients
  cloud colleague colleagues company concern concerns contact contract conversation cost costs customer customers daily
  data date decision demo details discussion email employees error errors evaluation fit follow free friends goal goals
  hours interest issue issues lead letter lost mail manager manual map marketing meeting message mr mrs ms dr prof
  madam sir mx money month months need number objection objections offer office onboarding online owner paid pain people
  person plan plans platform point positive present price prices privacy problem problems product project prospect
  prospects purchase question questions questioned regards reason reasons reports request sales savings security
  service services session site software solution speed staff start status step steps summary support system task tasks
  team teams test time timeline tool tools topic topics training trial urgent use user value visitor visitors want week
  weeks worried year years negative qualified disqualified willing unable able aware sincerely kind warm hoping glad
  happy welcome feel let wish enjoy reach founder director head engineer developer teacher student freelancer consultant
  returning waiting home`;

const GERMAN = `ab aber ach allerdings als also am an andere anderen andererseits anders anfangs anhand anschließend ansonsten
  auch auf aufgrund aus außer außerdem bald bei beide beiden beim bereits bevor bis bisher bitte da dabei dadurch dafür
  dagegen daher damit danach dank danke dann daran darauf daraus darin darüber darum das dass davon dazu dein deine dem
  den denn der deren des deshalb dessen deswegen die dies diese diesem diesen dieser dieses doch dort durch eben ebenfalls
  ebenso eher ein eine einem einen einer einerseits eines einige einigen einmal er erst erste ersten es etwa etwas euch
  euer eure falls fast ferner für ganz gegen gegenüber gemeinsam genau gerade gern gerne gestern gibt gut gute guten
  guter hallo hat heute hier hierfür hierzu hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im immer in
  indem infolge insbesondere insgesamt ins interessant interessiert inzwischen ist ja je jede jedem jeden jeder jedes
  jedoch jemand jetzt kann kaum kein keine keinem keinen keiner klar kurz künftig laut leider letzte letzten lieber liebe
  man manche mehr mehrere mein meine meist meistens mit mithilfe morgen möchte muss nach nachdem nachher natürlich neben
  nein nicht nichts nie niemand noch nun nur ob obwohl oder offen offenbar oft ohne pro schließlich schon sehr sein seine
  seinem seinen seiner seit seitdem selbst sie sind so sobald soll sollte somit sondern sonst soweit sowie sowohl später
  statt trotz trotzdem über überdies um und uns unser unsere unserem unseren unter unklar viel viele vielen vielleicht vom
  von vor vorab vorher wann war warum was weder wegen weil weiter weitere weiteren weiterhin welche welcher welches wenig
  wenige wenn wer werden wichtig wie wieder wir wird wo wobei wodurch wofür wohl womit wurde während zu zudem zuerst
  zufolge zuletzt zum zunächst zur zurzeit zusammen zusammenfassend zusätzlich zwar zwei zwischen
  aktuelle aktueller aktuelles bestehende bisherige bisheriger einfache fehlende geplante geplanter geplantes gewünschte
  große großer großes hohe hoher hohes klare klarer klares konkrete konkreter konkretes kurze lange letzter mögliche
  möglicher möglichst nächste nächster nächsten neue neuer neues niedrige offene offener schnelle starke starker starkes
  vorhandene wichtige wichtiger wichtigste wichtigster erster zweite zweiter
  agent agenten agentin anbieter anfang anfrage angabe angaben angebot anliegen antwort antworten arbeit art assistent
  assistentin aufwand ausfall bedarf bedenken beispiel beratung bereich besuch besucher besucherin betrieb bewertung
  budget chef chefin daten datenschutz demo dank einführung einwand einwände ende entscheidung euro fall fällen firma
  frage fragen freude gast geld gespräch grund gründe grüße grüßen herbst herr herrn frau dr prof interesse interessent
  interessenten interessentin jahr jahre jahren kauf ki kollege kollegen kontakt kosten kriterien kunde kunden kundin
  leute lösung lösungen mal menschen mitarbeiter mitarbeitende mitarbeitern mitte monat monate monaten nachricht nutzer
  nutzern nutzung person personen plan preis preise preisen problem probleme produkt prozent punkt punkte rahmen
  rückfrage rückfragen schritt schritte sicherheit software sommer start stunde stunden support system systeme tag tage
  tagen team teams teil termin test thema themen unternehmen unterstützung vertrag vertrieb vielen vorteil vorteile
  winter woche wochen zeit ziel ziele zusammenfassung überblick frühjahr frühling uhr`;

const FRENCH = `a actuellement afin ah ailleurs ainsi alors après assez au aucun aucune aujourd auparavant auprès aussi autant
  autre autres aux avant avec avoir beaucoup bien bientôt bon bonjour bonsoir bref c car ce ceci cela celle celui cent
  cependant certains certaines ces cet cette ceux chaque cher chère chez ci combien comme comment concernant d dans de
  déjà demain depuis dernier dernière des dès désormais deux devant difficile dommage donc dont du durant d elle elles en
  encore enfin ensuite entre environ est et étant eux faute globalement grâce hier hormis ici il ils intéressé intéressée
  j jamais je jusque l la là le les lequel leur leurs lors lorsque lui madame monsieur m mme mlle ma mais malgré même mes
  mieux moi moins mon n ne néanmoins ni non nos notre nous on or ou où oui par parce parfois parmi pas pendant personne peu
  peut plus plusieurs plutôt pour pourquoi pourtant premier première près presque prochain prochaine prochains prochaines puis puisque qu quand quant quatre que
  quel quelle quelles quelqu quelque quelques quels qui quoi rien s sa sans sauf se selon ses seul seule seulement si
  sinon soit son sous souvent suite sur surtout t tandis tant te tel telle tes toi ton toujours tous tout toute toutes
  toutefois très trois trop tu un une vers voici voilà vos votre vous vraiment y
  achat adresse agent aide appel assistant assistante avantage avantages besoin besoins bilan bonne budget but client
  clients cliente collègue collègues contact contrat conversation coût coûts date décision délai demande démonstration
  discussion données échange entreprise équipe équipes essai évaluation gain gestion heure heures ia idée intérêt jour
  jours logiciel manque merci mise mois nombre nouveau nouvel nouvelle objection objections objectif offre outil outils
  perte pertes plan point points prix problème problèmes produit projet prospect question questions raison raisons rapide
  rendez réponse réponses réunion sécurité semaine semaines service services simple site solution statut support sujet
  système temps test utilisateurs utilise utilisation vente ventes visiteur visiteuse visiteurs travail cordialement
  bienvenue ravi ravie veut souhaite cherche directeur directrice gérant gérante patron patronne responsable étudiante
  étudiant`;

const SPANISH = `a acaso además adiós ahora ahí al algo alguien algún alguna algunas alguno algunos allí ambos ante anteriormente antes
  apenas aparte aquel aquella aquí así asimismo aun aún aunque ayer bajo bastante bien buen buena buenas bueno buenos cada
  casi cerca cierto como cómo con conforme contra cuál cualquier cuando cuándo cuánto cuántos cuanto de debido del demasiado
  dentro desde después detrás dicho donde dónde dos durante e el él ella ellas ello ellos en encima entonces entre era es
  esa esas ese eso esos está están esta estas este esto estos excepto fue fuera gran gracias ha hace hacia han hasta hay
  hola hoy igual igualmente incluso interesado interesada jamás junto la las le les lejos lo los luego más mañana mas me
  mediante mejor menos mi mientras mis mismo mucha muchas mucho muchos muy nada nadie ni ningún ninguna ninguno no nos
  nosotros nuestra nuestras nuestro nuestros nunca o ojalá otra otras otro otros para parece pero poca poco pocos por
  porque posteriormente pues puede que próxima próximas próximo próximos qué quién quien quienes quiere quizá quizás respecto se según sea ser si sí siempre sin
  sino sobre solo sólo son su sus tal también tampoco tan tanto te tener ti tiene tienen toda todas todavía todo todos tras
  tres tu tú tus última últimas último últimos un una unas uno unos usa usted ustedes va varias varios y ya yo
  agente agentes ahorro asistente ayuda beneficio beneficios búsqueda calidad cambio caso charla cliente clienta clientes
  colega colegas compra contacto contrato conversación coste costes costo costos datos decisión demo demostración
  desventaja don doña sr sra dr dra dudas empresa encantado encantada equipo equipos error errores evaluación falta fecha
  horas ia idea interés interesados llamada mes meses necesidad necesidades necesita número objeción objeciones objetivo
  oferta pedidos pérdida persona personas plan planes plazo posible precio precios presupuesto pregunta preguntas
  prefiere problema problemas producto prospecto proyecto prueba punto puntos razón razones respuesta respuestas resumen
  reunión saludo saludos seguridad semana semanas servicio servicios sesión sistema software solución soporte tema temas
  tiempo trabajo usuario usuarios venta ventas ventaja ventajas visitante visitantes estimado estimada querido querida
  bienvenido bienvenida busca buscan comenta considera desea duda espera gestiona necesitan pide planea prefieren quieren
  solicita suele suelen teme trabaja trabajan usan utiliza utilizan dirige lleva director directora dueño dueña jefe jefa`;

const known = new Map(
  Object.entries({ en: ENGLISH, de: GERMAN, fr: FRENCH, es: SPANISH }).map(([language, words]) => [
    language,
    new Set(words.split(/\s+/).map(foldWord)),
  ]),
);
